/** `svc client`: a package of types from the API description of a server, for clients in another repository. */
import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { basename, join, relative, resolve } from 'node:path'
import { CommandError } from '../errors.ts'
import { print } from '../output.ts'
import { mapText } from './map-text.ts'
import { type Document, describedApi, isDocument } from './openapi-lines.ts'

// Loaded on use, as the command is.
export { writeRouteMap } from './route-map.ts'

const MARK = '// Written by svc client from an API description. Changes are overwritten.'
const PACKAGE_MARK = 'written by svc client'
/** A description is some MB at most. */
const LONGEST_MS = 30_000

export interface ClientCommandOptions {
  /** A file, or an http(s) URL. */
  openapi: string
  /** The folder of the package. */
  out: string
  /** Its name. Default: that of the folder. */
  name?: string
}

/** @throws CommandError SVC_CLIENT_OPENAPI, SVC_CLIENT_TAKEN */
export async function writeClient({ openapi, out, name }: ClientCommandOptions): Promise<void> {
  const document = await documentOf(openapi)
  const folder = resolve(out)
  await mkdir(folder, { recursive: true })
  const { lines, types } = describedApi(document)
  const files = [
    { path: 'package.json', text: packageText(document, name ?? basename(folder)), mark: PACKAGE_MARK },
    { path: 'index.js', text: `${MARK}\nexport * from 'svc-client'\n`, mark: MARK },
    {
      path: 'index.d.ts',
      text: mapText({ mark: MARK, imports: ["export * from 'svc-client'"], types, lines }),
      mark: MARK
    }
  ]
  const taken = await Promise.all(files.map(async ({ path, mark }) => isTaken(join(folder, path), mark)))
  if (taken.includes(true)) {
    throw new CommandError({
      code: 'SVC_CLIENT_TAKEN',
      message: 'the folder has files that svc client did not write; nothing is written',
      at: files
        .filter((_, index) => taken[index])
        .map(({ path }) => join(folder, path))
        .join(', '),
      fix: 'choose another folder with --out'
    })
  }
  for (const { path, text } of files) await writeFile(join(folder, path), text)
  print(`wrote ${lines.length} routes to ${relative(process.cwd(), folder) || '.'}`)
}

async function isTaken(file: string, mark: string): Promise<boolean> {
  return existsSync(file) && !(await readFile(file, 'utf8')).includes(mark)
}

async function documentOf(source: string): Promise<Document> {
  let value: unknown
  try {
    value = JSON.parse(await textOf(source))
  } catch (error) {
    throw new CommandError(noDocument(source, (error as Error).message), 1, { cause: error })
  }
  if (!isDocument(value)) throw new CommandError(noDocument(source, 'JSON without "openapi": "3..." and "paths"'))
  return value
}

async function textOf(source: string): Promise<string> {
  if (!/^https?:\/\//.test(source)) return readFile(source, 'utf8')
  const response = await fetch(source, { signal: AbortSignal.timeout(LONGEST_MS) })
  if (!response.ok) throw new Error(`the server answered ${response.status}`)
  return response.text()
}

function noDocument(source: string, got: string) {
  const url = URL.canParse(source) ? new URL(source) : null
  return {
    code: 'SVC_CLIENT_OPENAPI',
    message: 'there is no OpenAPI 3 document in JSON',
    // A query may carry a token.
    at: url === null ? source : `${url.origin}${url.pathname}`,
    got,
    expected: 'a file, or a URL such as http://127.0.0.1:5151/svc/docs/api/json',
    fix: 'correct --openapi; of a description that is not open, save the JSON to a file first'
  }
}

function packageText({ info = {} }: Document, name: string): string {
  const { title = 'an API', version } = info
  const isVersion = /^\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(version ?? '')
  const file = {
    name,
    version: isVersion ? version : '0.0.0',
    description: `The client of ${title}, ${PACKAGE_MARK}.`,
    type: 'module',
    exports: { '.': { types: './index.d.ts', default: './index.js' } },
    files: ['index.js', 'index.d.ts'],
    dependencies: { 'svc-client': '^0.1.0' }
  }
  return `${JSON.stringify(file, null, 2)}\n`
}
