/**
 * The folder of migrations: a file for each, and the snapshot of what the entities were when the last one was written.
 * A connector other than the first has a folder of its own in it.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { isDeepStrictEqual } from 'node:util'
import { BootError, type Problem } from 'svc-kernel'
import { readablePath } from '../entities/entities.ts'
import type { SchemaShape } from './entity-shape.ts'
import type { Migration } from './migration.ts'
import type { LoadedMigration } from './migration-port.ts'

const SNAPSHOT = 'snapshot.json'
const FORMAT = 1

const FILE = /^(\d{14}_[a-z0-9_]{1,80})(?:\.[mc]?[tj]s)$/
const DECLARATION = /\.d\.[mc]?ts$/

export class MigrationFiles {
  /** Absolute. */
  readonly folder: string

  constructor(folder: string) {
    this.folder = folder
  }

  /** In order. */
  async names(): Promise<readonly string[]> {
    return [...(await this.#files()).keys()]
  }

  /** Imports every migration, in order. @throws BootError SVC_ORM_MIGRATION_FILE */
  async load(): Promise<readonly LoadedMigration[]> {
    const files = await this.#files()
    return Promise.all([...files].map(([name, file]) => loadFile(name, join(this.folder, file))))
  }

  /** Files by the name of their migration. */
  async #files(): Promise<ReadonlyMap<string, string>> {
    const names = await readdir(this.folder).catch(nothingThere)
    const files = new Map<string, string>()
    for (const file of names.filter((each) => !DECLARATION.test(each)).sort()) {
      const name = FILE.exec(file)?.[1]
      // A build lays what it made beside its source, which sorts after it: the checksum is of the source.
      if (name !== undefined) files.set(name, file)
    }
    return files
  }

  /** What the entities were. @returns `null` where there is no snapshot yet @throws BootError SVC_ORM_MIGRATION_SNAPSHOT */
  async snapshot(): Promise<SchemaShape | null> {
    const path = join(this.folder, SNAPSHOT)
    const text = await readFile(path, 'utf8').catch(nothingThere)
    if (typeof text !== 'string') return null
    try {
      const { format, entities } = JSON.parse(text) as { format: unknown; entities: SchemaShape }
      if (format === FORMAT && typeof entities === 'object' && entities !== null) return entities
    } catch {
      // Told below, as a file of another form is.
    }
    throw new BootError([unreadable(path)])
  }

  /** @returns the paths of the files, the snapshot last */
  async write(
    migrations: readonly { readonly name: string; readonly source: string }[],
    snapshot: SchemaShape
  ): Promise<readonly string[]> {
    await mkdir(this.folder, { recursive: true })
    const written: string[] = []
    for (const { name, source } of migrations) {
      const file = join(this.folder, `${name}.ts`)
      await writeFile(file, source, { flag: 'wx' })
      written.push(file)
    }
    return [...written, await this.#writeSnapshot(snapshot)]
  }

  /** A snapshot of an earlier version says less of the same schema: from now on it says what fields hold. */
  async complete(snapshot: SchemaShape): Promise<void> {
    const standing = await this.snapshot()
    if (standing !== null && !isDeepStrictEqual(standing, snapshot)) await this.#writeSnapshot(snapshot)
  }

  async #writeSnapshot(snapshot: SchemaShape): Promise<string> {
    const path = join(this.folder, SNAPSHOT)
    await writeFile(`${path}.new`, `${JSON.stringify({ format: FORMAT, entities: snapshot }, null, 2)}\n`)
    await rename(`${path}.new`, path)
    return path
  }
}

function nothingThere(error: unknown): [] {
  const { code } = error as { code?: unknown }
  if (code === 'ENOENT' || code === 'ENOTDIR') return []
  throw error
}

async function loadFile(name: string, path: string): Promise<LoadedMigration> {
  // Read at once, as it is imported next. Line ends are those of whoever checked the file out.
  const text = readFileSync(path, 'utf8').replaceAll('\r\n', '\n')
  const checksum = createHash('sha256').update(text).digest('hex')
  // By its checksum: a file that was changed meanwhile is another module.
  const address = `${pathToFileURL(path).href}?${checksum}`
  let loaded: { default?: Partial<Migration> }
  try {
    loaded = (await import(address)) as typeof loaded
  } catch (error) {
    throw new BootError([faulty(path, error instanceof Error ? error.message : String(error))], { cause: error })
  }
  const { up, down } = loaded.default ?? {}
  if (typeof up !== 'function' || (down !== undefined && typeof down !== 'function')) {
    throw new BootError([faulty(path, 'its default export is not a migration')])
  }
  return { name, checksum, up, down: down ?? null }
}

function faulty(path: string, why: string): Problem {
  return {
    code: 'SVC_ORM_MIGRATION_FILE',
    message: `a migration cannot be loaded: ${why.split('\n', 1)[0]}`,
    at: readablePath(path),
    expected: 'export default defineMigration({ async up(m) { ... }, async down(m) { ... } }), importing packages only',
    fix: 'correct the file'
  }
}

function unreadable(path: string): Problem {
  return {
    code: 'SVC_ORM_MIGRATION_SNAPSHOT',
    message: 'the snapshot of the entities is unreadable',
    at: readablePath(path),
    expected: `{ "format": ${FORMAT}, "entities": { ... } }, as npx svc orm:diff writes it`,
    fix: 'restore the file of the last commit; after a merge, keep that of one side and run npx svc orm:diff'
  }
}
