import { parse } from 'node:querystring'
import type { Json } from '../engine/task.ts'
import { TuskError } from '../lib/errors.ts'
import type { SourceSchedule } from './source.ts'

const line = /^((?:[0-9*/,-]+\s+){5})([_a-zA-Z][_a-zA-Z0-9:/-]*)(?:\s+\?(\S+))?(?:\s+(\{.*\}))?$/
const known = ['id', 'fill', 'max', 'queue', 'jobKey', 'jobKeyMode', 'priority']

/** Reads a crontab of graphile-worker: `cron task ?options {payload}`, in UTC. */
export function readCrontab(text: string): SourceSchedule[] {
  const schedules = text.split(/\r?\n/).flatMap((raw, at) => {
    const trimmed = raw.trim()
    return trimmed === '' || trimmed.startsWith('#') ? [] : [readLine(trimmed, at + 1)]
  })
  const names = schedules.map(({ name }) => name)
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  if (twice !== undefined)
    throw damaged(`two lines have the id "${twice}"`, 'Give one of them another ?id=.')
  return schedules
}

function readLine(text: string, at: number): SourceSchedule {
  const [, cron, task, query, payload] = line.exec(text) ?? []
  if (cron === undefined || task === undefined)
    throw damaged(`line ${at} is not "cron task ?options {payload}"`, `It is: ${text}`)
  const options = readOptions(query ?? '', at)
  return {
    name: options['id'] ?? task,
    row: null,
    settings: {
      cron: cron.trim().replace(/\s+/g, ' '),
      zone: 'UTC',
      ...(options['fill'] === undefined ? { misfire: 'skip' } : { misfire: 'all' }),
      task: {
        queue: task,
        payload: readPayload(payload, at),
        ...(options['priority'] === undefined ? {} : { priority: -Number(options['priority']) }),
        ...(options['max'] === undefined ? {} : { max_attempts: Number(options['max']) }),
        ...(options['queue'] === undefined ? {} : { groups: [options['queue']], max_running: 1 }),
        ...(options['jobKey'] === undefined
          ? {}
          : { key: options['jobKey'], on_duplicate: 'replace', frees_key: true }),
      },
    },
  }
}

function readOptions(query: string, at: number): Partial<Record<string, string>> {
  const options: Partial<Record<string, string>> = {}
  for (const [name, value] of Object.entries(parse(query))) {
    if (!known.includes(name) || typeof value !== 'string')
      throw damaged(
        `line ${at} has the option "${name}", or has it twice`,
        `Known are ${known.join(', ')}.`,
      )
    options[name] = value
  }
  for (const name of ['max', 'priority'])
    if (!/^-?\d+$/.test(options[name] ?? '0'))
      throw damaged(`line ${at}: ${name} is not a whole number`, 'Correct the line.')
  return options
}

function readPayload(text: string | undefined, at: number): Json {
  if (text === undefined) return {}
  try {
    return JSON.parse(text) as Json
  } catch (cause) {
    throw damaged(
      `the payload in line ${at} is not JSON`,
      'Quote its names, and leave no comma at the end: Tusk reads no JSON5.',
      cause,
    )
  }
}

function damaged(what: string, hint: string, cause?: unknown): TuskError {
  return new TuskError('invalid_argument', `the crontab cannot be read: ${what}`, { hint, cause })
}
