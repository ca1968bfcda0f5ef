/** An invalid connection string, described in libpq's words. */
export class ConninfoFault extends Error {
  override readonly name = 'ConninfoFault'
}
