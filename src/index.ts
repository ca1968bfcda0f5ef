export {
  type Chore,
  type ChoreContext,
  type ChoreDefinition,
  type ChoreResult,
  defineChore,
} from './chores/chore.ts'
export type { ChoreOptions, Environment } from './chores/settings.ts'
export type { DriveOptions, OperateOptions } from './client/bulk.ts'
export type { OperationHandle } from './client/drive.ts'
export type { On } from './client/operations.ts'
export type { EnqueueMiddleware, TuskOptions } from './client/options.ts'
export type { PullOptions } from './client/pulling.ts'
export type { GroupSettings, Limits, QueueSettings } from './client/settings.ts'
export type { SqlSessionOptions, SqlTaskOptions } from './client/sql-task.ts'
export type { TaskHandle } from './client/task-handle.ts'
export type { RevokeOptions, TokenHolder, TokenOptions } from './client/tokens.ts'
export { Tusk } from './client/tusk.ts'
export type { TaskEnd, WaitOptions } from './client/waiting.ts'
export type { Queryable } from './db/queryable.ts'
export {
  type DialectReport,
  type InstallDialectOptions,
  installDialect,
} from './dialects/install-dialect.ts'
export { type DialectStatus, listDialects } from './dialects/list-dialects.ts'
export { createTaskTable, type TaskTableOptions } from './dialects/pg-task/create-task-table.ts'
export { type UpgradeDialectsOptions, upgradeDialects } from './dialects/upgrade-dialects.ts'
export type { AuditEntry, AuditPage } from './engine/auditing.ts'
export type { Operation, OperationAction, OperationPage } from './engine/bulk.ts'
export { type Caller, callingAs } from './engine/calling-as.ts'
export type { EventName, EventPage, Following, TaskEvent } from './engine/following.ts'
export type { QueueGrant, QueueRight } from './engine/granting.ts'
export type { ChoreStats, Leader, StrategyKind } from './engine/leading.ts'
export type {
  Attempt,
  CountOptions,
  LogLine,
  Page,
  TaskCount,
  TaskFilter,
  TaskPage,
} from './engine/looking.ts'
export {
  durationBuckets,
  type ErrorGroup,
  type ErrorGroupOptions,
  type GroupStats,
  type QueueStats,
  type QueueTotal,
  type SeriesOptions,
  type SeriesPoint,
  type WorkerInfo,
} from './engine/measuring.ts'
export { permits, type Scope } from './engine/permits.ts'
export type {
  Drift,
  Misfire,
  Occurrence,
  OccurrencePage,
  Overlap,
  PlannedTime,
  Schedule,
  ScheduleState,
} from './engine/schedule.ts'
export type { AppliedSchedule, Backfilled } from './engine/scheduling.ts'
export type {
  ConnectionFault,
  Delivery,
  SqlColumn,
  SqlError,
  SqlNotice,
  SqlOutput,
  SqlResult,
} from './engine/sql-output.ts'
export type {
  Backoff,
  ClaimedTask,
  EndReason,
  Enqueued,
  Json,
  OnDuplicate,
  Task,
  TaskKind,
  TaskState,
} from './engine/task.ts'
export type { Token } from './engine/tokens.ts'
export { type ErrorCode, TuskError } from './lib/errors.ts'
export type { Middleware } from './runners/perform.ts'
export type { AbortReason, Context, LogLevel } from './tasks/context.ts'
export {
  type AnyTask,
  type BatchHandler,
  type BatchItem,
  defineTask,
  type Handler,
  type TaskDefinition,
} from './tasks/define-task.ts'
export type { Duration, EnqueueOptions, RawTask } from './tasks/enqueue-options.ts'
export type { NamedTask } from './tasks/named-task.ts'
export type {
  Planning,
  ScheduledTask,
  ScheduleSettings,
  Schedules,
} from './tasks/schedule-settings.ts'
export type { SchemaIssue, SchemaResult, StandardSchema } from './tasks/standard-schema.ts'
export {
  failForGood,
  kill,
  reject,
  reschedule,
  Steered,
  type Steering,
} from './tasks/steering.ts'
export type { InputOf, OutputOf, TaskMap, TaskName, Tasks } from './tasks/task-list.ts'
export type { Logger } from './worker/log.ts'
export type { WorkerOptions } from './worker/options.ts'
export type { SecretCallback, SqlOptions } from './worker/sql-options.ts'
export { type StopOptions, startWorker, Worker } from './worker/worker.ts'
