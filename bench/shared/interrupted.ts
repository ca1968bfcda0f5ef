let isStopping = false

/** Whether Ctrl-C was pressed. Later failures are a consequence of it. */
export function isInterrupted(): boolean {
  return isStopping
}

/** Ctrl-C ends the run, not the process: there are processes and a server to stop. */
export function interrupted(): Promise<number> {
  return new Promise((resolve) => {
    const stop = (code: number) => {
      isStopping = true
      process.on('unhandledRejection', () => {})
      resolve(code)
    }
    process.once('SIGINT', () => stop(130))
    process.once('SIGTERM', () => stop(143))
  })
}

export function say(line: string): void {
  if (!isStopping) process.stderr.write(`${line}\n`)
}
