import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** The files of a made-up version, by their path in sql/. */
export type SqlTree = Readonly<Record<string, string>>

/** A folder of SQL that a test writes, and may write again as the next version. */
export class SqlDirectory {
  readonly path: string

  private constructor(path: string) {
    this.path = path
  }

  static async create(): Promise<SqlDirectory> {
    return new SqlDirectory(await mkdtemp(join(tmpdir(), 'tusk-sql-')))
  }

  /** Makes the folder hold these files and no others. */
  async release(files: SqlTree): Promise<void> {
    await this.remove()
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(this.path, path)), { recursive: true })
      await writeFile(join(this.path, path), text)
    }
  }

  async remove(): Promise<void> {
    await rm(this.path, { recursive: true, force: true })
  }
}
