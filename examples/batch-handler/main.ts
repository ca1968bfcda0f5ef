import { defineTask, startWorker, Tusk } from 'pgtusk'

const index = defineTask({
  name: 'index_page',
  batch: {
    size: 25,
    /** One call for up to 25 tasks; each gets an answer of its own. */
    run: async (batch: readonly { payload: { url: string } }[]) =>
      batch.map(({ payload }) =>
        payload.url.startsWith('https:') ? `indexed ${payload.url}` : new Error('not secure'),
      ),
  },
})

const tusk = await Tusk.open({ tasks: [index] })
const worker = await startWorker({ database: tusk.pool, tasks: [index], logger: false })

const urls = ['https://one.example', 'http://two.example', 'https://three.example']
const handles = await tusk.enqueueMany(
  urls.map((url) => ({ name: 'index_page', payload: { url }, maxAttempts: 1 })),
)
for (const handle of handles) {
  console.log(await handle.wait().catch((error: Error) => error.message))
}

await worker.stop()
await tusk.close()
