import { isSecret } from '../../../lib/redact.ts'
import { ConninfoFault } from './conninfo-fault.ts'
import { parseKeywords } from './conninfo-keywords.ts'
import { parseUri } from './conninfo-uri.ts'

/** Options of a connection string, by libpq's names. */
export type Conninfo = ReadonlyMap<string, string>

/** What libpq 18 knows; what is not used here is read and left alone. */
const known = new Set(
  `application_name channel_binding client_encoding connect_timeout dbname fallback_application_name gssdelegation
   gssencmode gsslib host hostaddr keepalives keepalives_count keepalives_idle keepalives_interval krbsrvname
   load_balance_hosts max_protocol_version min_protocol_version oauth_client_id oauth_client_secret oauth_issuer
   oauth_scope options passfile password port replication require_auth requirepeer scram_client_key scram_server_key
   service sslcert sslcertmode sslcompression sslcrl sslcrldir sslkey sslkeylogfile ssl_max_protocol_version
   ssl_min_protocol_version sslmode sslnegotiation sslpassword sslrootcert sslsni target_session_attrs
   tcp_user_timeout user`
    .trim()
    .split(/\s+/),
)

/** Would make the worker read files of its host, or connect otherwise than the string says. */
const refused = new Set(
  'passfile service sslcert sslkey sslcrl sslcrldir sslrootcert sslkeylogfile replication'.split(
    ' ',
  ),
)

/** Reads keywords and values, or a URI, as libpq does, and complains as libpq does. */
export function parseConninfo(text: string): Conninfo {
  const isUri = /^postgres(ql)?:\/\//.test(text)
  const options = isUri ? parseUri(text, known) : parseKeywords(text)
  let last = ''
  for (const name of options.keys()) {
    if (!known.has(name)) {
      // After a password it may be the rest of that, with a blank and no quotes.
      throw new ConninfoFault(
        `invalid connection option "${isSecret(last) || !/^\w{0,63}$/.test(name) ? '***' : name}"`,
      )
    }
    last = name
    if (refused.has(name)) {
      throw new ConninfoFault(`connection option "${name}" is not allowed in a task`)
    }
  }
  return options
}
