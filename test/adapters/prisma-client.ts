import { getPrismaClient } from '@prisma/client/runtime/client'

type Config = Parameters<typeof getPrismaClient>[0]

/** The part of a generated client that has no models in it. */
interface Prisma {
  $queryRawUnsafe(text: string, ...values: unknown[]): Promise<unknown>
  $executeRawUnsafe(text: string, ...values: unknown[]): Promise<number>
  $transaction<T>(work: (tx: Prisma) => Promise<T>): Promise<T>
  $disconnect(): Promise<void>
}

/** Node has it; the library of types that we compile with does not. */
const { WebAssembly } = globalThis as unknown as {
  WebAssembly: { Module: new (bytes: Buffer) => object }
}

/**
 * Prisma's own client for a schema without models: what `prisma generate` would write, without the
 * program that it downloads to do so.
 */
const config: Config = {
  previewFeatures: [],
  clientVersion: '7.10.0',
  engineVersion: 'none',
  activeProvider: 'postgresql',
  inlineSchema: 'datasource db {\n  provider = "postgresql"\n}\n',
  runtimeDataModel: { models: {}, enums: {}, types: {} },
  parameterizationSchema: { strings: [], graph: 'AAAA' },
  compilerWasm: {
    getRuntime: () => import('@prisma/client/runtime/query_compiler_fast_bg.postgresql.mjs'),
    getQueryCompilerWasmModule: async () => {
      const { wasm } = await import(
        '@prisma/client/runtime/query_compiler_fast_bg.postgresql.wasm-base64.mjs'
      )
      return new WebAssembly.Module(Buffer.from(wasm, 'base64'))
    },
    importName: './query_compiler_fast_bg.js',
  },
}

export const PrismaClient = getPrismaClient(config) as unknown as new (options: {
  adapter: unknown
}) => Prisma
