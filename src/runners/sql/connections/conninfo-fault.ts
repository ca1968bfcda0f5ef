/** A connection string that cannot be read, in libpq's own words. */
export class ConninfoFault extends Error {
  override readonly name = 'ConninfoFault'
}
