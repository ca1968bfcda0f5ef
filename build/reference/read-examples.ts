import { readdirSync, readFileSync } from 'node:fs'

const folder = new URL('./examples/', import.meta.url)

/** The example of each verb: what stands below the line with its name. */
export function readExamples(): Map<string, string> {
  const texts = readdirSync(folder)
    .sort()
    .map((file) => readFileSync(new URL(file, folder), 'utf8'))
  return new Map(
    texts.flatMap((text) =>
      text
        .split(/^(?=-- [a-z_]+$)/m)
        .slice(1)
        .map((block) => {
          const [head = '', ...lines] = block.split('\n')
          return [head.slice(3), lines.join('\n').trim()] as const
        }),
    ),
  )
}
