import { Command } from 'commander'
import type { Io } from '../process/io.ts'
import { addTaskActions } from './task/actions.ts'
import { addTaskAdd } from './task/add.ts'
import { addTaskList } from './task/list.ts'
import { addTaskLogs } from './task/logs.ts'
import { addTaskShow } from './task/show.ts'
import { addTaskSignal } from './task/signal.ts'
import { addTaskStream } from './task/stream.ts'
import { addTaskTree } from './task/tree.ts'
import { addTaskWait } from './task/wait.ts'

/** `tusk task`: units of work. */
export function taskCommand(io: Io): Command {
  const command = new Command('task').description('Enqueue, find, retry, cancel and change tasks')
  addTaskAdd(command, io)
  addTaskList(command, io)
  addTaskShow(command, io)
  addTaskWait(command, io)
  addTaskLogs(command, io)
  addTaskStream(command, io)
  addTaskTree(command, io)
  addTaskSignal(command, io)
  addTaskActions(command, io)
  return command
}
