/**
 * `svc-kernel/pages`: the built pages beside a plugin, as Vite's manifest lists them: what each entry needs, and the files themselves. A
 * name that the manifest does not list for an entry is no file of it, whatever lies in the folder.
 */
import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'

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

/** Parameters of a route that serves files. */
export interface ByFile {
  readonly Params: { readonly file: string }
}

/** Names change with their content. */
const FOR_EVER = 'private, max-age=31536000, immutable'

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8'
}

/** The error of a plugin whose pages are missing. */
type NotBuilt = new (folder: string) => Error

export class WebBuild {
  readonly #folder: string
  readonly #notBuilt: NotBuilt
  readonly #manifest: Manifest
  readonly #files = new Map<string, Promise<BuiltFile>>()

  /** @throws the error that is given, where there is no manifest */
  constructor(folder: string, notBuilt: NotBuilt) {
    this.#folder = folder
    this.#notBuilt = notBuilt
    this.#manifest = readManifest(folder, notBuilt)
  }

  /** @param source such as `console.tsx` */
  entry(source: string): WebEntry {
    return entryOf(this.#manifest, source, () => new this.#notBuilt(this.#folder))
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

  /** Answers one of the files of an entry, and nothing else. */
  async send({ files }: WebEntry, request: FastifyRequest<ByFile>, reply: FastifyReply): Promise<FastifyReply> {
    const { file } = request.params
    if (!files.has(file)) {
      reply.callNotFound()
      return reply
    }
    const { type, bytes, packed } = await this.file(file)
    reply.header('cache-control', FOR_EVER).header('vary', 'accept-encoding').type(type)
    if (!/\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''))) return reply.send(bytes)
    return reply.header('content-encoding', 'gzip').send(packed)
  }

  async #read(name: string): Promise<BuiltFile> {
    const bytes = await readFile(join(this.#folder, name))
    const type = TYPES[extname(name)] ?? 'application/octet-stream'
    return { type, bytes, packed: await compress(bytes, { level: 9 }) }
  }
}

function readManifest(folder: string, NotBuilt: NotBuilt): Manifest {
  try {
    return JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')) as Manifest
  } catch {
    throw new NotBuilt(folder)
  }
}

/** Pure. @param missing the error where the manifest does not have the source */
export function entryOf(manifest: Manifest, source: string, missing: () => Error): WebEntry {
  const entry = manifest[source]
  if (entry === undefined) throw missing()
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

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;'
}

/** A text as a part of a document or of an attribute. */
export function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '')
}
