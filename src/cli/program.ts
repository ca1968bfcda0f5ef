import { readFileSync } from 'node:fs'
import { Command } from 'commander'
import { auditCommand } from './commands/audit.ts'
import { benchCommand } from './commands/bench.ts'
import { choreCommand } from './commands/chore.ts'
import { completionCommand } from './commands/completion.ts'
import { configCommand } from './commands/config.ts'
import { dbCommand } from './commands/db.ts'
import { demoCommand } from './commands/demo.ts'
import { dialectCommand } from './commands/dialect.ts'
import { doctorCommand } from './commands/doctor.ts'
import { drainCommand } from './commands/drain.ts'
import { groupCommand } from './commands/group.ts'
import { importCommand } from './commands/import.ts'
import { mcpCommand } from './commands/mcp.ts'
import { migrateCommand } from './commands/migrate.ts'
import { operationCommand } from './commands/operation.ts'
import { pgTaskCommand } from './commands/pg-task.ts'
import { queueCommand } from './commands/queue.ts'
import { scheduleCommand } from './commands/schedule.ts'
import { serveCommand } from './commands/serve.ts'
import { sqlCommand } from './commands/sql.ts'
import { startCommand } from './commands/start.ts'
import { statsCommand } from './commands/stats.ts'
import { taskCommand } from './commands/task.ts'
import { tokenCommand } from './commands/token.ts'
import { workCommand } from './commands/work.ts'
import { workerCommand } from './commands/worker.ts'
import { configure } from './config/configure.ts'
import { addGlobalOptions } from './options/global-options.ts'
import { connectCommands } from './process/connect-commands.ts'
import type { Io } from './process/io.ts'

/** The whole command line. Every command of the tree reports to `io` and never exits the process. */
export function buildProgram(io: Io): Command {
  const program = new Command('tusk')
    .description('The task engine that lives in your Postgres.')
    .version(version(), '-V, --version')
    .commandsGroup('Tasks:')
    .addCommand(taskCommand(io))
    .addCommand(operationCommand(io))
    .addCommand(sqlCommand(io))
    .addCommand(scheduleCommand(io))
    .addCommand(queueCommand(io))
    .addCommand(groupCommand(io))
    .addCommand(statsCommand(io))
    .commandsGroup('Server:')
    .addCommand(startCommand(io))
    .addCommand(demoCommand(io))
    .addCommand(serveCommand(io))
    .addCommand(mcpCommand(io))
    .addCommand(workCommand(io))
    .addCommand(drainCommand(io))
    .addCommand(pgTaskCommand(io))
    .addCommand(workerCommand(io))
    .addCommand(choreCommand(io))
    .addCommand(tokenCommand(io))
    .addCommand(auditCommand(io))
    .commandsGroup('Database:')
    .addCommand(migrateCommand(io))
    .addCommand(dialectCommand(io))
    .addCommand(importCommand(io))
    .addCommand(dbCommand(io))
    .addCommand(doctorCommand(io))
    .addCommand(benchCommand(io))
    .commandsGroup('Command line:')
    .addCommand(configCommand(io))
    .addCommand(completionCommand(io))
    .helpCommand(true)
  configure(program, io)
  addGlobalOptions(program)
  connectCommands(program, io)
  return program
}

function version(): string {
  const manifest = readFileSync(new URL('../../package.json', import.meta.url), 'utf8')
  return String((JSON.parse(manifest) as { version?: unknown }).version)
}
