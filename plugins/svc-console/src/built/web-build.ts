/**
 * The built pages beside the plugin, as Vite's manifest lists them: what each entry needs, and the files themselves. A
 * name that the manifest does not list for an entry is no file of it, whatever lies in the folder.
 */
import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { ConsoleNotBuilt } from '../errors.ts'

const compress = promisify(gzip)

/** One chunk of the manifest; file names have no folder. */
interface Chunk {
  readonly file: string
  readonly imports?: readonly string[]
  readonly dynamicImports?: readonly string[]
  readonly css?: readonly string[]
}

export type Manifest = Readonly<Record<string, Chunk>>

export interface BuiltFile {
  readonly type: string
  readonly bytes: Buffer
  /** The same, compressed with gzip. */
  readonly packed: Buffer
}

/** A page: what its document names, and every file that it may ever ask for. */
export interface WebEntry {
  readonly script: string
  /** Modules that the script imports, to be fetched beside it. */
  readonly modules: readonly string[]
  readonly styles: readonly string[]
  readonly files: ReadonlySet<string>
}

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8'
}

export class WebBuild {
  readonly #folder: string
  readonly #manifest: Manifest
  readonly #files = new Map<string, Promise<BuiltFile>>()

  /** @throws ConsoleNotBuilt */
  constructor(folder: string) {
    this.#folder = folder
    this.#manifest = readManifest(folder)
  }

  /** @param source such as `console.tsx` */
  entry(source: string): WebEntry {
    return entryOf(this.#manifest, source, this.#folder)
  }

  /** @param name one of `files` of an entry. Read once: there are few, and they never change. */
  async file(name: string): Promise<BuiltFile> {
    let file = this.#files.get(name)
    if (file === undefined) {
      file = this.#read(name)
      this.#files.set(name, file)
      // What could not be read once may be there the next time.
      file.catch(() => this.#files.delete(name))
    }
    return file
  }

  async #read(name: string): Promise<BuiltFile> {
    const bytes = await readFile(join(this.#folder, name))
    const type = TYPES[extname(name)] ?? 'application/octet-stream'
    return { type, bytes, packed: await compress(bytes, { level: 9 }) }
  }
}

function readManifest(folder: string): Manifest {
  try {
    return JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')) as Manifest
  } catch {
    throw new ConsoleNotBuilt(folder)
  }
}

/** Pure. @param folder for the error @throws ConsoleNotBuilt where the manifest does not have the source */
export function entryOf(manifest: Manifest, source: string, folder: string): WebEntry {
  const entry = manifest[source]
  if (entry === undefined) throw new ConsoleNotBuilt(folder)
  const first = reached(manifest, source, (chunk) => chunk.imports ?? [])
  const all = reached(manifest, source, (chunk) => [...(chunk.imports ?? []), ...(chunk.dynamicImports ?? [])])
  return {
    script: entry.file,
    modules: first.map(({ file }) => file).filter((file) => file !== entry.file),
    styles: first.flatMap(({ css = [] }) => css),
    files: new Set(all.flatMap(({ file, css = [] }) => [file, ...css]))
  }
}

/** What is imported comes before what imports it, as its styles have to. */
function reached(manifest: Manifest, source: string, next: (chunk: Chunk) => readonly string[]): Chunk[] {
  const seen = new Set<string>()
  const found: Chunk[] = []
  const visit = (name: string) => {
    const chunk = manifest[name]
    if (chunk === undefined || seen.has(name)) return
    seen.add(name)
    for (const other of next(chunk)) visit(other)
    found.push(chunk)
  }
  visit(source)
  return found
}
