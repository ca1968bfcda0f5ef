// @ts-check

/**
 * The server roles that a connection string can require, by libpq's names, and whether a server has one.
 *
 * JavaScript, like everything that server-client.js imports: the heartbeat thread loads it, and Node versions without
 * type stripping cannot read TypeScript.
 *
 * @typedef {'any' | 'read-write' | 'read-only' | 'primary' | 'standby' | 'prefer-standby'} SessionAttributes
 * @typedef {{ readonly isStandby: boolean, readonly isReadOnly: boolean }} ServerRole
 */

/** @type {readonly SessionAttributes[]} */
export const sessionAttributes = [
  'any',
  'read-write',
  'read-only',
  'primary',
  'standby',
  'prefer-standby',
]

/**
 * @param {string} text
 * @returns {text is SessionAttributes}
 */
export function isSessionAttributes(text) {
  return /** @type {readonly string[]} */ (sessionAttributes).includes(text)
}

/**
 * Why a server does not have the required role, in libpq's words. Undefined if it has.
 * @param {SessionAttributes} wants
 * @param {ServerRole} role
 * @returns {string | undefined}
 */
export function roleFault(wants, { isStandby, isReadOnly }) {
  switch (wants) {
    case 'read-write':
      return isReadOnly ? 'session is read-only' : undefined
    case 'read-only':
      return isReadOnly ? undefined : 'session is not read-only'
    case 'primary':
      return isStandby ? 'server is in hot standby mode' : undefined
    case 'standby':
      return isStandby ? undefined : 'server is not in hot standby mode'
    default:
      return undefined
  }
}

/**
 * The servers in the order in which they are tried, each with the required role. For `prefer-standby` all of them are
 * tried twice.
 * @template Server
 * @param {readonly Server[]} servers
 * @param {SessionAttributes} wants
 * @returns {{ readonly server: Server, readonly wants: SessionAttributes }[]}
 */
export function inTryingOrder(servers, wants) {
  /** @type {readonly SessionAttributes[]} */
  const rounds = wants === 'prefer-standby' ? ['standby', 'any'] : [wants]
  return rounds.flatMap((round) => servers.map((server) => ({ server, wants: round })))
}
