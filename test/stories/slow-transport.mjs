import { writeSync } from 'node:fs'
import { Writable } from 'node:stream'

/** A transport that answers a flush at once, and writes a while later. */
// biome-ignore lint/style/noDefaultExport: pino calls the default export of a transport.
export default function slowTransport() {
  return new Writable({
    autoDestroy: true,
    write(chunk, _encoding, done) {
      setTimeout(() => writeSync(1, chunk), 100)
      setTimeout(done, 150)
    },
  })
}
