export {
  type Chore,
  type ChoreContext,
  type ChoreDefinition,
  type ChoreResult,
  defineChore,
} from './chores/chore.ts'
export type { ChoreOptions, Environment } from './chores/settings.ts'
export type { AuditEntry, TuskAudit } from './client/audit.ts'
export type { ChoreStats, Leader, TuskChores } from './client/chores.ts'
export type { ClaimOptions, FailOutcome, TuskClaims } from './client/claims.ts'
export type { Operation, OperationHandle } from './client/drive.ts'
export type { TuskEvents } from './client/events.ts'
export type { QueueGrant, TuskGrants } from './client/grants.ts'
export type { GroupStats, TuskGroups } from './client/groups.ts'
export type { On } from './client/on.ts'
export type { DriveOptions, NewOperation, TuskOperations } from './client/operations.ts'
export type { EnqueueMiddleware, TuskOptions } from './client/options.ts'
export type { QueueStats, QueueTotal, SeriesPoint, TuskQueues } from './client/queues.ts'
export type {
  Backfilled,
  Occurrence,
  PlannedTime,
  Schedule,
  TuskSchedules,
} from './client/schedules.ts'
export type { GroupSettings, Limits, QueueSettings } from './client/settings.ts'
export type { SqlSessionOptions, SqlTaskOptions } from './client/sql-task.ts'
export type { TaskChanges } from './client/task-changes.ts'
export type { TaskHandle } from './client/task-handle.ts'
export type {
  Attempt,
  Dependency,
  ErrorGroup,
  FamilyMember,
  Step,
  Task,
  TaskPage,
  TuskTasks,
} from './client/tasks.ts'
export type {
  RevokeOptions,
  Token,
  TokenHolder,
  TokenOptions,
  TuskTokens,
} from './client/tokens.ts'
export { Tusk } from './client/tusk.ts'
export type { TaskEnd, WaitOptions } from './client/waiting.ts'
export type { TuskWorkers, WorkerInfo } from './client/workers.ts'
export { migrate } from './database/migrate-database.ts'
export type { MigrateOptions, MigrationReport } from './db/migrate.ts'
export type { Queryable } from './db/queryable.ts'
export { type AdoptFetchqOptions, adoptFetchq } from './dialects/fetchq/adopt-original.ts'
export { releaseFetchq } from './dialects/fetchq/release-original.ts'
export {
  type DialectReport,
  type InstallDialectOptions,
  installDialect,
} from './dialects/install-dialect.ts'
export { type DialectStatus, listDialects } from './dialects/list-dialects.ts'
export { type AdoptTableOptions, adoptTaskTable } from './dialects/pg-task/adopt-table.ts'
export { createTaskTable, type TaskTableOptions } from './dialects/pg-task/create-task-table.ts'
export { releaseTaskTable } from './dialects/pg-task/release-table.ts'
export { type UpgradeDialectsOptions, upgradeDialects } from './dialects/upgrade-dialects.ts'
export type { AuditPage } from './engine/auditing.ts'
export type { OperationAction, OperationCount, OperationPage } from './engine/bulk.ts'
export { type Caller, callingAs } from './engine/calling-as.ts'
export type { Chunk, JoinMode, StepKind } from './engine/durable.ts'
export type { QueueWaitReason, WaitCode, WaitReason } from './engine/explaining.ts'
export type { EventName, EventPage, Following, TaskEvent } from './engine/following.ts'
export type { QueueRight } from './engine/granting.ts'
export type { StrategyKind } from './engine/leading.ts'
export type { CountOptions, LogLine, Page, TaskCount, TaskFilter } from './engine/looking.ts'
export { durationBuckets, type ErrorGroupOptions, type SeriesOptions } from './engine/measuring.ts'
export type { Held } from './engine/outcomes.ts'
export { permits, type Scope } from './engine/permits.ts'
export type { Push, SecretPlace } from './engine/pushing.ts'
export type {
  Drift,
  Misfire,
  OccurrencePage,
  Overlap,
  ScheduleState,
} from './engine/schedule.ts'
export type { AppliedSchedule } from './engine/scheduling.ts'
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
  AfterFailure,
  Backoff,
  EndReason,
  Enqueued,
  Json,
  OnDuplicate,
  TaskKind,
  TaskState,
} from './engine/task.ts'
export type { Duration } from './lib/duration.ts'
export { type ErrorCode, TuskError } from './lib/errors.ts'
export type { Logger } from './lib/logger.ts'
export { type ClockNote, describeClockNote } from './lib/schedule-words/describe-clock-note.ts'
export { describeSchedule, type SchedulePlan } from './lib/schedule-words/describe-schedule.ts'
export type { Middleware } from './runners/handler/perform.ts'
export type { ClaimedTask } from './tasks/claimed-task.ts'
export type { AbortReason, Context, LogLevel } from './tasks/context.ts'
export {
  type AnyTask,
  type BatchHandler,
  type BatchItem,
  defineTask,
  type Handler,
  type TaskDefinition,
} from './tasks/define-task.ts'
export {
  type Child,
  type ChildEnd,
  defineSignal,
  type EndsOf,
  type JoinOptions,
  type OutputsOf,
  type ReceiveOptions,
  type Signal,
  type SpawnOptions,
  StepFailed,
  type StepOptions,
} from './tasks/durable.ts'
export type { EnqueueOptions, RawTask } from './tasks/enqueue-options.ts'
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
export type {
  CompletedEvent,
  FailedEvent,
  LostEvent,
  ReleasedEvent,
  RescheduledEvent,
  StartedEvent,
  WorkerEventName,
  WorkerEvents,
  WorkerListener,
  WorkerListeners,
} from './worker/events/worker-events.ts'
export type { WorkerOptions } from './worker/options.ts'
export type { SecretCallback, SqlOptions } from './worker/sql-options.ts'
export { type StopOptions, startWorker, Worker } from './worker/worker.ts'
