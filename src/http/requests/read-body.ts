import { Problem } from '../answers/problem.ts'

/** Reads a body to its end, but not beyond the limit nor for ever. */
export async function readBody(
  request: Request,
  maxBytes: number,
  timeoutMs: number,
): Promise<Buffer> {
  const announced = Number(request.headers.get('content-length') ?? Number.NaN)
  if (announced > maxBytes) throw tooLarge(maxBytes)
  if (announced === 0) return Buffer.alloc(0)
  const late = timeLimit(timeoutMs)
  try {
    // Node holds a client to the length that it announced: no need to look at each piece.
    return announced > 0
      ? await readWhole(request, maxBytes, late.over)
      : await readPieces(request, maxBytes, late.over)
  } catch (error) {
    throw error instanceof Problem ? error : cutShort(error)
  } finally {
    late.clear()
  }
}

async function readWhole(
  request: Request,
  maxBytes: number,
  over: Promise<never>,
): Promise<Buffer> {
  const body = Buffer.from(await Promise.race([request.arrayBuffer(), over]))
  if (body.length > maxBytes) throw tooLarge(maxBytes)
  return body
}

async function readPieces(
  request: Request,
  maxBytes: number,
  over: Promise<never>,
): Promise<Buffer> {
  if (request.body === null) return Buffer.alloc(0)
  const reader = request.body.getReader()
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    for (;;) {
      const { done, value } = await Promise.race([reader.read(), over])
      if (done) return Buffer.concat(chunks)
      size += value.byteLength
      if (size > maxBytes) throw tooLarge(maxBytes)
      chunks.push(value)
    }
  } catch (error) {
    // Not awaited: a client that sends nothing would keep us here.
    void reader.cancel().catch(() => {})
    throw error
  }
}

function timeLimit(ms: number): { over: Promise<never>; clear(): void } {
  let timer: NodeJS.Timeout | undefined
  const over = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(tooSlow(ms)), ms)
  })
  // The race may be won before; then nothing listens to it.
  over.catch(() => {})
  return { over, clear: () => clearTimeout(timer) }
}

function tooLarge(maxBytes: number): Problem {
  return new Problem(413, 'body_too_large', `the body is larger than ${maxBytes} bytes`, {
    hint: 'Send less at once, or store the data elsewhere and send a reference to it.',
    headers: { connection: 'close' },
  })
}

function tooSlow(ms: number): Problem {
  return new Problem(
    408,
    'request_timeout',
    `the body did not arrive within ${ms / 1000} seconds`,
    {
      headers: { connection: 'close' },
    },
  )
}

function cutShort(cause: unknown): Problem {
  return new Problem(400, 'malformed_json', 'the body ended before its announced length', { cause })
}
