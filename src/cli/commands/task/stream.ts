import type { Command } from 'commander'
import type { Tusk } from '../../../client/tusk.ts'
import type { Chunk } from '../../../engine/durable.ts'
import { type TuskOptions, withEngine, withTusk } from '../../database/with-tusk.ts'
import { withExamples } from '../../options/examples.ts'
import { parseId, parsePlace } from '../../options/parse-argument.ts'
import type { Screen } from '../../output/screen.ts'
import type { Io } from '../../process/io.ts'
import { visible } from '../../process/visible.ts'
import { action } from '../action.ts'
import { followTask } from './follow.ts'

const pageSize = 1_000

interface StreamOptions extends TuskOptions {
  readonly follow?: boolean
  readonly after: string
}

export function addTaskStream(task: Command, io: Io): void {
  const command = withEngine(task.command('stream'))
    .description('print what a task wrote to its stream, a chunk per line')
    .argument('<id>', 'the task', parseId)
    .option('-f, --follow', 'go on until it has ended, or until Ctrl-C')
    .option('--after <place>', 'only chunks after this place', parsePlace, '0')
    .action(
      action<StreamOptions, [string]>(io, (screen, options, id) =>
        withTusk(options, screen.io, (tusk) =>
          options.follow
            ? follow(tusk, id, options.after, screen)
            : print(tusk, id, options.after, screen),
        ),
      ),
    )
  withExamples(
    command,
    ['tusk task stream 42 -f'],
    ['tusk task stream 42 --after 17 -o jsonl', 'with the place and the time of each chunk'],
  )
}

async function print(tusk: Tusk, id: string, after: string, screen: Screen): Promise<void> {
  const chunks: Chunk[] = []
  for await (const page of pagesOf(tusk, id, after)) chunks.push(...page)
  if (!screen.isForPeople) return screen.list(chunks, [])
  if (chunks.length === 0) screen.say('The stream of the task is empty.')
  for (const [at, chunk] of chunks.entries()) screen.next(chunk, () => textOf(chunk), at === 0)
}

async function follow(tusk: Tusk, id: string, after: string, screen: Screen): Promise<void> {
  let last = after
  await followTask(tusk, id, screen, async () => {
    for await (const page of pagesOf(tusk, id, last)) {
      for (const chunk of page) {
        screen.next(chunk, () => textOf(chunk), last === after)
        last = chunk.place
      }
    }
  })
}

/** As far as the stream was written. */
async function* pagesOf(tusk: Tusk, id: string, after: string): AsyncGenerator<Chunk[]> {
  for (let last = after; ; ) {
    const page = await tusk.tasks.chunks(id, { after: last, limit: pageSize })
    yield page
    if (page.length < pageSize) return
    last = page.at(-1)?.place ?? last
  }
}

/** Text as it is, line by line; everything else as JSON. */
function textOf({ chunk }: Chunk): string {
  if (typeof chunk !== 'string') return visible(JSON.stringify(chunk))
  return chunk.split('\n').map(visible).join('\n')
}
