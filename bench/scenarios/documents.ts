import type { Client } from 'pg'
import type { DocumentStore } from '../documents/document-store.ts'
import { documentStore } from '../documents/stores.ts'
import type { Figures } from '../measure/figures.ts'
import { Meter } from '../measure/meter.ts'
import type { Scenario, Stage, Variant } from './scenario.ts'

const bulk = 100

export const documents: Scenario = {
  name: 'documents',
  shows:
    'the calls of Fetchq, one client, a transaction each; with --designs plain,functions,fetchq beside it',
  variants: [
    // The lower bound for every call: an empty transaction that must be durable.
    pushing('a commit, nothing stored', 1, async (_, db) => {
      await db.query(`select pg_logical_emit_message(true, '', '')`)
    }),
    pushing('append, one by one', 1, async (store, db) => store.append(db)),
    pushing('push, one by one', 1, async (store, db, [subject = '']) => store.push(db, subject)),
    pushing('push, 100 a call', bulk, (store, db, subjects) => store.pushMany(db, subjects)),
    picking(1, 10_000),
    picking(1, 500_000),
    picking(bulk, 10_000),
    picking(bulk, 500_000),
  ],
}

type Push = (store: DocumentStore, db: Client, subjects: readonly string[]) => Promise<void>

function pushing(name: string, perCall: number, push: Push): Variant {
  return {
    name,
    prepare: (stage) => documentStore(stage).install(stage.admin),
    finish: (stage) => documentStore(stage).remove(stage.admin),
    async round(stage) {
      const store = documentStore(stage)
      const db = await stage.connections.get('documents')
      const count = stage.sizes.singles * perCall
      return measured(stage, db, count, async () => {
        for (let sent = 0; sent < count; sent += perCall) await push(store, db, fresh(perCall))
      })
    },
  }
}

/** The cost of a pick depends on the backlog. Runs with smaller sizes have a smaller one. */
function picking(perPick: number, backlog: number): Variant {
  const size = (stage: Stage) => Math.min(backlog, stage.sizes.background)
  return {
    name: `pick ${perPick} and complete, ${backlog.toLocaleString('en')} waiting`,
    async prepare(stage) {
      const store = documentStore(stage)
      await store.install(stage.admin)
      for (let sent = 0; sent < size(stage); sent += 1_000)
        await store.pushMany(stage.admin, fresh(Math.min(1_000, size(stage) - sent)))
      await stage.admin.query('vacuum analyze')
    },
    finish: (stage) => documentStore(stage).remove(stage.admin),
    async round(stage) {
      const store = documentStore(stage)
      const db = await stage.connections.get('documents')
      const count = Math.min(stage.sizes.singles, Math.floor(size(stage) / 10))
      return measured(stage, db, count, async () => {
        for (let done = 0; done < count; done += perPick) {
          const picked = await store.pick(db, Math.min(perPick, count - done))
          if (picked.length === 0) throw new Error('nothing was left to pick')
          for (const subject of picked) await store.complete(db, subject)
        }
      })
    },
  }
}

async function measured(
  { admin }: Stage,
  db: Client,
  count: number,
  work: () => Promise<void>,
): Promise<Figures> {
  const meter = await Meter.start(admin, { documents: [db] })
  await work()
  return meter.stop(count)
}

let made = 0

/** Subjects that no document has had before. */
function fresh(count: number): string[] {
  return Array.from({ length: count }, () => `doc-${process.pid}-${++made}`)
}
