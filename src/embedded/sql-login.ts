import { createHmac } from 'node:crypto'
import pg from 'pg'
import { scramVerifier } from './scram-verifier.ts'

/** The login, the role and the schema of SQL that comes over the network to an embedded cluster. */
export const sqlRole = 'tusk_sql'

/**
 * Makes the login that SQL from the network runs with, or makes it harmless again, and gives its
 * connection string. The superuser of a cluster can run programs as the account of the server, so
 * text from the network must never reach a session of the superuser. This login has no rights but those
 * of PUBLIC and a schema of its own; further ones are for you to grant.
 */
export async function openSqlLogin(superuserUrl: string): Promise<string> {
  const url = new URL(superuserUrl)
  const password = passwordFor(decodeURIComponent(url.password))
  const client = new pg.Client({ connectionString: superuserUrl, connectionTimeoutMillis: 10_000 })
  // A server that stops after its answer cuts the connection; unheard, that event ends the process.
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query(statementsFor(password, decodeURIComponent(url.pathname.slice(1))))
  } finally {
    await client.end()
  }
  url.username = sqlRole
  url.password = password
  return url.href
}

/** Derived, so that several processes on one cluster agree without another file to guard. */
function passwordFor(superuserPassword: string): string {
  return createHmac('sha256', superuserPassword).update(sqlRole).digest('base64url')
}

/**
 * One message, so one transaction; the lock lets processes that start at once take turns. Attributes,
 * password and settings are set each time: a role may change its own password and settings.
 */
function statementsFor(password: string, database: string): string {
  const role = pg.escapeIdentifier(sqlRole)
  const name = pg.escapeLiteral(sqlRole)
  return [
    `select pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtext(${name}))`,
    `do $$ begin
       if not exists (select from pg_catalog.pg_roles where rolname = ${name}) then create role ${role}; end if;
     end $$`,
    `alter role ${role} with login nosuperuser nocreatedb nocreaterole noreplication nobypassrls
       password ${pg.escapeLiteral(scramVerifier(password))}`,
    `alter role ${role} reset all`,
    `alter role ${role} in database ${pg.escapeIdentifier(database)} reset all`,
    `create schema if not exists ${role} authorization ${role}`,
  ].join(';\n')
}
