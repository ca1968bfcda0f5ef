import type { EnqueueOptions } from './enqueue-options.ts'
import type { InputOf, OutputOf, TaskName, Tasks } from './task-list.ts'

/** `{}`, the payload of a task that is enqueued without one. */
type NoPayload = Record<never, never>

/** Payload and options of a task. The payload can be left out if the task does not need one. */
export type EnqueueArguments<T extends Tasks, Name extends TaskName<T>> =
  NoPayload extends InputOf<T, Name>
    ? [payload?: InputOf<T, Name>, options?: EnqueueOptions]
    : [payload: InputOf<T, Name>, options?: EnqueueOptions]

/** A declared task with its payload and options, for enqueueMany(). */
export type NamedTask<T extends Tasks, Options = Omit<EnqueueOptions, 'on'>> = {
  [Name in TaskName<T>]: Options & { readonly name: Name } & PayloadOf<InputOf<T, Name>>
}[TaskName<T>]

type PayloadOf<Input> = NoPayload extends Input
  ? { readonly payload?: Input }
  : { readonly payload: Input }

/**
 * The output of any of the tasks; unknown for a client without tasks, which is therefore assignable to any client type.
 */
export type AnyOutput<T extends Tasks> = [TaskName<T>] extends [never]
  ? unknown
  : OutputOf<T, TaskName<T>>
