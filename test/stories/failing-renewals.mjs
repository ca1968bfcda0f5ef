// Makes one in five of a worker's calls of lead_chores() fail, in turn in each way that they can; for
// --import. The last way is the worst: the database did it, and the answer was lost.
import pg from 'pg'

const share = 0.2
const { query } = pg.Client.prototype

const raise = (code, message) => (client) =>
  query.call(client, `do $$ begin raise exception '${message}' using errcode = '${code}'; end $$`)

const reset = (client) =>
  client.connection.stream.destroy(
    Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }),
  )

const ways = {
  timeout: raise('57014', 'canceling statement due to statement timeout'),
  serialization: raise('40001', 'could not serialize access'),
  reset: (client, ...given) => {
    reset(client)
    return query.apply(client, given)
  },
  'lost answer': async (client, ...given) => {
    await query.apply(client, given)
    reset(client)
    return query.call(client, 'select')
  },
}

const turns = Object.entries(ways)
let failures = 0

pg.Client.prototype.query = function (...given) {
  const text = typeof given[0] === 'string' ? given[0] : given[0]?.text
  const isRenewal = text?.includes('lead_chores(') === true
  if (!isRenewal || Math.random() >= share) return query.apply(this, given)
  const [name, fail] = turns[failures++ % turns.length]
  process.stdout.write(`a renewal failed by ${name}\n`)
  return fail(this, ...given)
}
