import type { Check } from '../check.ts'
import type { Symptom } from '../finding.ts'
import { formatSeconds } from '../format.ts'
import {
  type Holder,
  idleHolders,
  type OpenTransaction,
  openTransactions,
  seesAllSessions,
} from '../transactions.ts'

export const transactions: Check = {
  name: 'transactions',
  fine: 'No transaction is open so long that it holds back VACUUM, and none that is idle holds rows of the engine.',
  look: async (at) => {
    const open = await openTransactions(at, 20)
    const long = open.filter(
      (one) => one.holds_back_vacuum && one.seconds >= at.limits.transactionSeconds,
    )
    const holders = await idleHolders(at, at.limits.heldSeconds)
    return [
      ...long.map(symptomOf),
      ...holders.map(held),
      ...((await seesAllSessions(at)) ? [] : [blindness]),
    ]
  },
}

const blindness: Symptom = {
  level: 'notice',
  message: 'Sessions of other users cannot be seen with this login.',
  hint: 'Grant it: grant pg_read_all_stats to …',
}

function held(one: Holder): Symptom {
  const { pid, user, application, address, seconds, tables } = one
  const where = [application, address].filter(Boolean).join(' at ')
  return {
    level: 'warning',
    message: `A session of ${user ?? 'an unknown user'} (pid ${pid}${where && `, ${where}`}) has been idle in a transaction for ${formatSeconds(seconds)} and holds rows of ${tables.join(', ')}. Other sessions that need the same task, key or group wait for it.`,
    hint: `If its host is gone, end it: select pg_terminate_backend(${pid}). Set idle_in_transaction_session_timeout, tcp_user_timeout and tcp_keepalives_idle for the role, so that Postgres ends such sessions by itself.`,
    details: { ...one },
  }
}

function symptomOf(one: OpenTransaction): Symptom {
  const { pid, user, state, seconds, query } = one
  return {
    level: 'problem',
    message: `A transaction of ${user ?? 'an unknown user'} (pid ${pid}, ${state ?? 'unknown'}) has been open for ${formatSeconds(seconds)} and holds back VACUUM: ${query ?? ''}`,
    hint: `Commit it, or end it: select pg_terminate_backend(${pid}). A limit for all: idle_in_transaction_session_timeout.`,
    details: { ...one },
  }
}
