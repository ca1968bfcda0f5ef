// An agent asks a model, runs the tool that the model asks for, and asks again. Each turn is a step, so
// a crash repeats no turn that was paid for. The answer of the model is streamed while it arrives. A
// reader that lost its connection continues after the last piece it saw.
import { type Context, defineTask, startWorker, Tusk } from 'pgtusk'
import { createHttp } from 'pgtusk/http'

interface Turn {
  readonly text: string
  readonly tool?: string
}

/** A stand-in for a model: it asks for a tool first, and then answers word by word. */
async function* speak(notes: readonly string[]): AsyncGenerator<string> {
  const [weather] = notes
  const text = weather === undefined ? 'Let me look.' : `Take an umbrella: ${weather}.`
  for (const word of text.split(' ')) yield ` ${word}`
}

async function turnOf(notes: readonly string[], ctx: Context): Promise<Turn> {
  let text = ''
  for await (const token of speak(notes)) {
    ctx.write(token)
    text += token
  }
  return notes.length === 0 ? { text, tool: 'weather' } : { text }
}

const tools: Readonly<Record<string, () => Promise<string>>> = { weather: async () => 'rain' }

const agent = defineTask({
  name: 'agent',
  run: async ({ maxTurns }: { maxTurns: number }, ctx) => {
    const notes: string[] = []
    for (let turn = 1; turn <= maxTurns; turn += 1) {
      const { text, tool } = await ctx.step(`turn ${turn}`, () => turnOf(notes, ctx))
      if (tool === undefined) return text.trim()
      notes.push(await ctx.step(`turn ${turn}/${tool}`, () => tools[tool]?.() ?? 'no such tool'))
    }
    throw new Error(`no answer within ${maxTurns} turns`)
  },
})

const tasks = [agent]
const tusk = await Tusk.open({ tasks })
const worker = await startWorker({ database: tusk.pool, tasks, logger: false })
const http = await createHttp({ tusk, authenticate: () => ({ name: 'ada', scopes: ['read'] }) })
const task = await tusk.enqueue('agent', { maxTurns: 5 })

/** Follows the stream over server-sent events, after a position. */
async function* follow(after: string): AsyncGenerator<{ id: string; chunk: string }> {
  const url = `http://localhost/api/v1/tasks/${task.id}/stream`
  const response = await http.fetch(new Request(url, { headers: { 'last-event-id': after } }))
  let text = ''
  for await (const bytes of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    const messages = `${text}${bytes}`.split('\n\n')
    text = messages.pop() ?? ''
    for (const message of messages) {
      const [, id, data] = /^id: (\d+)\nevent: chunk\ndata: (.*)$/.exec(message) ?? []
      if (id !== undefined && data !== undefined) yield { id, ...JSON.parse(data) }
    }
  }
}

let last = '0'
const heard: string[] = []
for (const most of [2, Number.POSITIVE_INFINITY]) {
  for await (const { id, chunk } of follow(last)) {
    last = id
    heard.push(chunk)
    // The first reader loses its connection after two pieces.
    if (heard.length === most) break
  }
  console.log(heard.join(''))
}
console.log(await task.wait())
console.log((await tusk.tasks.steps(task.id)).map(({ name }) => name))
await http.close()
await worker.stop()
await tusk.close()
