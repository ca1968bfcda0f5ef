import type { Check } from '../check.ts'
import type { Symptom } from '../finding.ts'
import { timeInWords } from '../in-words.ts'
import { type OpenTransaction, openTransactions, seesAllSessions } from '../transactions.ts'

export const transactions: Check = {
  name: 'transactions',
  fine: 'No transaction is open so long that it holds back VACUUM.',
  look: async (at) => {
    const open = await openTransactions(at, 20)
    const long = open.filter(
      (one) => one.holds_back_vacuum && one.seconds >= at.limits.transactionSeconds,
    )
    return [...long.map(told), ...((await seesAllSessions(at)) ? [] : [blindness])]
  },
}

const blindness: Symptom = {
  level: 'notice',
  message: 'Sessions of other users cannot be seen with this login.',
  hint: 'Grant it: grant pg_read_all_stats to …',
}

function told(one: OpenTransaction): Symptom {
  const { pid, user, state, seconds, query } = one
  return {
    level: 'problem',
    message: `A transaction of ${user ?? 'somebody'} (pid ${pid}, ${state ?? 'unknown'}) has been open for ${timeInWords(seconds)} and holds back VACUUM: ${query ?? ''}`,
    hint: `Have it commit, or end it: select pg_terminate_backend(${pid}). A limit for all: idle_in_transaction_session_timeout.`,
    details: { ...one },
  }
}
