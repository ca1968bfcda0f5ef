import type { HttpContext } from '../http-context.ts'
import type { Api } from '../route.ts'
import { register as health } from './health.ts'

/** Every file of this folder, in the order in which they are documented. */
const all: readonly ((api: Api, context: HttpContext) => void)[] = [health]

export function registerAll(api: Api, context: HttpContext): void {
  for (const register of all) register(api, context)
}
