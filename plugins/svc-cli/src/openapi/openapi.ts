/**
 * `svc openapi`: the description of the API. It prints the document, lists what changed since another one, or holds the
 * answers of a running server against it.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { inspectApp } from '../application/inspect-app.ts'
import { apiKey } from '../environment.ts'
import { CommandError } from '../errors.ts'
import type { AppOptions } from '../options.ts'
import { print, printJson, textTable } from '../output.ts'
import { type CheckedOperation, checkServer } from './check-server.ts'
import { type ApiChange, compareDocuments } from './compare-documents.ts'
import type { OpenapiDocument } from './document.ts'

const COMMAND = 'svc openapi'

export interface OpenapiOptions extends AppOptions {
  document: string
  asyncapi?: true
  out?: string
  against?: string
  check?: string
  changing?: true
  requests: string
  seed: string
  key?: string
  json?: true
}

/** @throws CommandError of exit code 1 where a client could break, or the server differs from the document */
export async function openapi(options: OpenapiOptions): Promise<void> {
  if (options.asyncapi === true && (options.against ?? options.check) !== undefined)
    throw usage('--asyncapi', 'with --against or --check', 'only --document and --out beside it')
  // Before the application is loaded, which takes the folder with it.
  const [before, ask] = [options.against && (await readDocument(options.against)), questionOf(options)]
  if (before) reportChanges(compareDocuments(before, await fromDocument(options, parsed)), options)
  else if (ask !== null) await reportCheck(await fromDocument(options, judged), ask, options)
  else await writeDocument(options)
}

async function writeDocument(options: OpenapiOptions): Promise<void> {
  const { out } = options
  if (out === undefined) printJson(await fromDocument(options, parsed))
  else if (YAML.test(out)) await writeFile(out, await fromDocument(options, (source) => source({ yaml: true })))
  else await writeFile(out, `${JSON.stringify(await fromDocument(options, parsed), null, 2)}\n`)
}

/** Of a file that is written. */
const YAML = /\.ya?ml$/i

/** As svc-openapi gives a document. */
interface DocumentSource {
  (): unknown
  (asked: { readonly yaml: true }): string
  /** Not of AsyncAPI. */
  exampleFaults?(): Promise<readonly ExampleFault[]>
}

interface ExampleFault {
  readonly operation: string
  readonly at: string
  readonly text: string
}

type Documents = ReadonlyMap<string, DocumentSource>

const parsed = (source: DocumentSource) => source() as OpenapiDocument

interface JudgedDocument {
  readonly document: OpenapiDocument
  readonly faults: readonly ExampleFault[]
}

async function judged(source: DocumentSource): Promise<JudgedDocument> {
  return { document: parsed(source), faults: (await source.exampleFaults?.()) ?? [] }
}

/** @param read is given the document while the application is there */
async function fromDocument<Read>(
  options: OpenapiOptions,
  read: (source: DocumentSource) => Read | Promise<Read>
): Promise<Read> {
  const name = options.document
  return inspectApp(
    options,
    COMMAND,
    async ({ register }) => {
      const fastify = await register()
      await fastify.ready()
      const { apiDocuments, asyncApiDocuments } = fastify as unknown as {
        apiDocuments?: Documents
        asyncApiDocuments?: Documents
      }
      const documents = options.asyncapi === true ? asyncApiDocuments : apiDocuments
      if (documents === undefined) {
        throw new CommandError({
          code: 'SVC_OPENAPI_ABSENT',
          message: 'the application does not describe its API',
          at: 'svc.config.ts',
          expected: 'svc-openapi among the modules',
          fix: 'npx svc module:add openapi'
        })
      }
      const document = documents.get(name)
      if (document !== undefined) return read(document)
      throw usage('--document', name, `one of ${[...documents.keys()].join(', ')}`)
    },
    { checkOnly: true }
  )
}

async function readDocument(file: string): Promise<OpenapiDocument> {
  const read = async () => JSON.parse(file === '-' ? await text(process.stdin) : await readFile(file, 'utf8'))
  const document = (await read().catch(() => null)) as OpenapiDocument | null
  if (typeof document?.openapi === 'string') return document
  throw usage('--against', file, 'a file with an OpenAPI document in JSON, or - for standard input')
}

interface Question {
  readonly origin: string
  readonly requests: number
  readonly seed: number
}

/** @returns `null` without `--check` */
function questionOf({ check, requests, seed }: OpenapiOptions): Question | null {
  if (check === undefined) return null
  const { origin = 'null', protocol } = URL.parse(check) ?? {}
  if (protocol !== 'http:' && protocol !== 'https:') throw usage('--check', check, 'http:// or https://, host and port')
  return { origin, requests: whole('--requests', requests, 1), seed: whole('--seed', seed, 0) }
}

function whole(at: string, given: string, least: number): number {
  const number = Number(given)
  if (Number.isSafeInteger(number) && number >= least && number <= 1_000_000) return number
  throw usage(at, given, `a whole number from ${least} to 1000000`)
}

function usage(at: string, got: string, expected: string): CommandError {
  const fix = 'npx svc openapi --help'
  return new CommandError(
    { code: 'SVC_OPENAPI_USAGE', message: 'the option cannot be used', at, got, expected, fix },
    2
  )
}

function reportChanges(changes: readonly ApiChange[], { json }: OpenapiOptions): void {
  const breaking = changes.filter((change) => change.breaking)
  if (json === true) printJson(changes)
  else if (changes.length === 0) print('no changes')
  else {
    const rows = changes.map(({ breaking, operation, at, text }) => [breaking ? 'breaking' : '', operation, at, text])
    print(textTable(['', 'OPERATION', 'AT', 'CHANGE'], rows))
  }
  if (breaking.length === 0) return
  throw new CommandError({
    code: 'SVC_OPENAPI_BREAKING',
    message: `${breaking.length} of the changes can break a client`,
    at: [...new Set(breaking.map(({ operation }) => operation))].join(', '),
    expected: 'changes that a client of the earlier document does not notice',
    fix: 'keep what clients use, or describe a new version of the operation beside the old one'
  })
}

async function reportCheck(
  { document, faults }: JudgedDocument,
  ask: Question,
  options: OpenapiOptions
): Promise<void> {
  const key = options.key ?? apiKey()
  const headers: Record<string, string> = key === undefined ? {} : { authorization: `Bearer ${key}` }
  const checked: CheckedOperation[] = []
  const note = (one: CheckedOperation): void => {
    checked.push(one)
    if (options.json !== true) print(checkedText(one))
  }
  const examples = Map.groupBy(faults, ({ operation }) => operation)
  const ofExamples = (operation: string) =>
    (examples.get(operation) ?? []).map(({ at, text }) => ({ text: `the example ${at} leaves its schema: ${text}` }))
  try {
    for await (const one of checkServer(document, { ...ask, changing: options.changing === true, headers })) {
      note({ ...one, problems: [...ofExamples(one.operation), ...one.problems] })
      examples.delete(one.operation)
    }
    for (const operation of examples.keys())
      note({ operation, sent: 0, statuses: {}, problems: ofExamples(operation), skipped: 'it is no operation' })
  } catch (error) {
    const cause = (error as Error).cause instanceof Error ? ((error as Error).cause as Error) : (error as Error)
    const message = `the server does not answer: ${cause.message}`
    const problem = { code: 'SVC_OPENAPI_UNREACHABLE', message, at: ask.origin, fix: 'start it, or correct --check' }
    throw new CommandError({ ...problem, expected: 'a running server' }, 1, { cause: error })
  }
  if (options.json === true) printJson(checked)
  const wrong = checked.filter(({ problems }) => problems.length > 0)
  if (wrong.length === 0) return
  throw new CommandError({
    code: 'SVC_OPENAPI_UNTRUE',
    message: `${wrong.length} of ${checked.length} operations differ from the document`,
    at: wrong.map(({ operation }) => operation).join(', '),
    expected: 'answers that the document describes, and examples that fit it',
    fix: `correct the schemas of the routes; --seed ${ask.seed} sends the same requests again`
  })
}

function checkedText(one: CheckedOperation): string {
  const { operation, problems, skipped } = one
  const lines = problems.map(({ text, request }) => {
    if (request === undefined) return `    ${text}`
    const { method, target, body = '' } = request
    return `    ${text}\n      ${`${method} ${target} ${body}`.slice(0, SHOWN)}`
  })
  const sign = problems.length > 0 ? '!' : skipped !== undefined || one.sent === 0 ? '-' : '+'
  return [`${sign} ${operation}: ${askedText(one)}`, ...lines].join('\n')
}

function askedText({ sent, statuses, skipped }: CheckedOperation): string {
  if (skipped !== undefined) return `not asked, as ${skipped}`
  if (sent === 0) return 'not asked, as no values that fit its schemas were found'
  const counts = Object.entries(statuses).map(([status, count]) => `${count} x ${status}`)
  const isRefused = Object.keys(statuses).every((status) => status === '401')
  return `${sent} requests, ${counts.join(', ')}${isRefused ? '; with --key more is seen' : ''}`
}

/** Of a request, characters. */
const SHOWN = 300
