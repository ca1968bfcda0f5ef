import type { Json } from '../engine/task.ts'
import { TuskError } from '../lib/errors.ts'
import { requireOptions } from '../lib/require-known.ts'
import { type AnyTask, type Handler, type TaskDefinition, taskOptions } from './define-task.ts'
import type { Steered } from './steering.ts'

/** The tasks of an application: a list of definitions, or a map of handlers and definitions by name. */
export type Tasks = readonly AnyTask[] | TaskMap

/** Tasks by name: handlers, or definitions. */
export type TaskMap = Readonly<Record<string, Handler<never, unknown> | NamelessTask>>

type NamelessTask = Omit<AnyTask, 'name'> & { readonly name?: string }

/** The names that you can enqueue. */
export type TaskName<T extends Tasks> = keyof ByName<T> & string

/** What enqueue() takes for a task of this name. */
export type InputOf<T extends Tasks, Name extends TaskName<T>> = Types<ByName<T>[Name]>['input']

/** The output of a task with this name, as JSON returns it. */
export type OutputOf<T extends Tasks, Name extends TaskName<T>> = Stored<
  Types<ByName<T>[Name]>['output']
>

type ByName<T> = T extends readonly (infer Definition)[]
  ? { readonly [D in Definition as D extends AnyTask ? D['name'] : never]: D }
  : T

// Functions come first: they have a name too, and would be taken for definitions.
type Types<D> = D extends (payload: infer Payload, ...rest: never[]) => infer Result
  ? { input: Payload; output: Exclude<Awaited<Result>, Steered> }
  : D extends TaskDefinition<string, infer _Payload, infer Output, infer Input>
    ? { input: Input; output: Awaited<Output> }
    : D extends { run: (payload: infer Payload, ...rest: never[]) => infer Result }
      ? { input: Payload; output: Exclude<Awaited<Result>, Steered> }
      : { input: Json; output: Json }

/** A value as JSON returns it: dates become strings, undefined becomes null. */
export type Stored<T> = unknown extends T
  ? Json
  : Parsed<Exclude<T, void>> | (T extends void ? null : never)

type Parsed<T> = T extends Json
  ? T
  : T extends { toJSON(...args: never[]): infer Value }
    ? Value
    : T extends object
      ? { [Name in keyof T]: Parsed<T[Name]> }
      : T

/** The definitions of a list or map, each with its name. */
export function listTasks(tasks: Tasks): AnyTask[] {
  const list = isList(tasks)
    ? [...tasks]
    : Object.entries(tasks).map(([name, task]) =>
        typeof task === 'function' ? { name, run: task } : { ...task, name },
      )
  for (const task of list) requireOptions(`task ${task.name}`, task, taskOptions)
  const names = list.map(({ name }) => name)
  const twice = names.find((name, place) => names.indexOf(name) !== place)
  if (twice !== undefined) {
    throw new TuskError('invalid_argument', `two tasks are named ${twice}`, {
      hint: 'Give each task a name of its own.',
    })
  }
  return list
}

/** Array.isArray() does not distinguish readonly arrays from maps. */
function isList(tasks: Tasks): tasks is readonly AnyTask[] {
  return Array.isArray(tasks)
}
