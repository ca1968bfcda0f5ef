// Makes the clock of a process and of its threads wrong by CLOCK_SHIFT_MS; for --import.

const shiftMs = Number(process.env.CLOCK_SHIFT_MS)
const Right = Date

globalThis.Date = class extends Right {
  constructor(...given) {
    if (given.length === 0) super(Right.now() + shiftMs)
    else super(...given)
  }

  static now() {
    return Right.now() + shiftMs
  }
}
