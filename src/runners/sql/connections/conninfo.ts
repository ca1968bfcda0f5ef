import { isSecret } from '../../../lib/redact.ts'
import { ConninfoFault } from './conninfo-fault.ts'
import { parseKeywords } from './conninfo-keywords.ts'
import { parseUri } from './conninfo-uri.ts'

/** Options of a connection string, by libpq's names. */
export type Conninfo = ReadonlyMap<string, string>

/** The options that libpq 18 knows. Those that are not used here are parsed and ignored. */
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

/** Options that would make the worker read files of its host, or connect differently from what the string says. */
const refused = new Set(
  'passfile service sslcert sslkey sslcrl sslcrldir sslrootcert sslkeylogfile replication'.split(
    ' ',
  ),
)

/** Parses keywords and values, or a URI, with libpq's rules and error messages. */
export function parseConninfo(text: string): Conninfo {
  const isUri = /^postgres(ql)?:\/\//.test(text)
  const options = isUri ? parseUri(text, known) : parseKeywords(text)
  let last = ''
  for (const name of options.keys()) {
    if (!known.has(name)) {
      // What follows a password may be the rest of it, if it has a space and no quotes.
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
