/** The file of a map of routes: one line a route, in the order of their names, so that equal routes are equal files. Pure. */
import { keyText, quoted } from './schema-type.ts'

/** One line of a map: every part is the text of a type. */
export interface MapLine {
  /** `POST /api/notes` */
  readonly name: string
  readonly params?: string | undefined
  readonly query?: MapPart | undefined
  readonly body?: MapPart | undefined
  readonly message?: string | undefined
  readonly answer: string
  /** Codes with their statuses, or with the text of a type of them. */
  readonly errors: Readonly<Record<string, number | string>>
}

export interface MapPart {
  readonly text: string
  readonly optional: boolean
}

export interface MapFile {
  /** The first line, by which a file of this kind is known. */
  readonly mark: string
  /** After the import of what the lines need of svc-client. */
  readonly imports: readonly string[]
  /** Types that the lines name. */
  readonly types?: readonly string[]
  readonly lines: readonly MapLine[]
}

/** What the lines may name of svc-client. */
export const CLIENT_NAMES: readonly string[] = ['Bytes', 'PathValue', 'Returned', 'Taken', 'Upload', 'Wire']

export function mapText({ mark, imports, types = [], lines }: MapFile): string {
  const sorted = [...lines].sort((a, b) => (a.name < b.name ? -1 : 1))
  const sets = errorSets(sorted)
  const members = sorted.map((line) => `  ${quoted(line.name)}: { ${parts(line, sets).join('; ')} }`)
  const body = [
    ...types,
    ...[...sets].map(([text, name]) => `interface ${name} ${text}\n`),
    `/** The routes of this application, for \`createClient<Routes>()\`. */\nexport interface Routes {\n${members.join('\n')}${members.length === 0 ? '' : '\n'}}\n`
  ].join('\n')
  const used = CLIENT_NAMES.filter((name) => new RegExp(`\\b${name}\\b`).test(body))
  const own = used.length === 0 ? [] : [`import type { ${used.join(', ')} } from 'svc-client'`]
  const head = [...own, ...imports]
  return `${mark}\n${head.join('\n')}${head.length === 0 ? '' : '\n\n'}${body}`
}

/** Routes with the same errors share one type. */
function errorSets(lines: readonly MapLine[]): Map<string, string> {
  const texts = [...new Set(lines.map(({ errors }) => errorText(errors)))]
  return new Map(texts.map((text, index) => [text, `Errors${index + 1}`]))
}

function errorText(errors: MapLine['errors']): string {
  const members = Object.entries(errors).sort(([a], [b]) => (a < b ? -1 : 1))
  return `{ ${members.map(([code, status]) => `${keyText(code)}: ${status}`).join('; ')} }`
}

function parts(
  { params, query, body, message, answer, errors }: MapLine,
  sets: ReadonlyMap<string, string>
): readonly string[] {
  const part = (name: string, given: MapPart | undefined) =>
    given === undefined ? [] : [`${name}${given.optional ? '?' : ''}: ${given.text}`]
  const input = [...(params === undefined ? [] : [`params: ${params}`]), ...part('query', query), ...part('body', body)]
  return [
    `input: ${input.length === 0 ? 'object' : `{ ${input.join('; ')} }`}`,
    ...(message === undefined ? [] : [`message: ${message}`]),
    `answer: ${answer}`,
    `errors: ${sets.get(errorText(errors))}`
  ]
}

/** The values of the parameters of a path, such as `/notes/:id`; `undefined` where it has none. */
export function paramsText(path: string): string | undefined {
  const names = [...path.replaceAll('::', '').matchAll(/:(\w+)(?:\((?:[^()\\]|\\.|\([^()]*\))*\))?(\?)?|(\*)$/g)]
  if (names.length === 0) return undefined
  const members = names.map(([, name = '*', optional]) => `${keyText(name)}${optional ?? ''}: PathValue`)
  return `{ ${members.join('; ')} }`
}

const HAS_INPUT = { SVC_HTTP_VALIDATION: 400 }
const HAS_BODY = {
  FST_ERR_CTP_EMPTY_JSON_BODY: 400,
  FST_ERR_CTP_INVALID_JSON_BODY: 400,
  FST_ERR_CTP_BODY_TOO_LARGE: 413,
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 415
}
const HAS_ZONE = { SVC_SEC_UNAUTHENTICATED: 401, SVC_SEC_UNAVAILABLE: 503 }
const HAS_GUARD = { SVC_SEC_DENIED: 403 }
const CHANGES = { SVC_SEC_CROSS_SITE: 403, SVC_SEC_CSRF: 403 }
const EVERY = { SVC_HTTP_INTERNAL: 500 }

/** What decides which errors a route may answer that no author writes. */
export interface RouteTraits {
  readonly hasInput: boolean
  readonly hasBody: boolean
  readonly hasZone: boolean
  readonly hasGuard: boolean
  readonly changes: boolean
}

export function generalErrors(traits: RouteTraits): Record<string, number> {
  const { hasInput, hasBody, hasZone, hasGuard, changes } = traits
  return {
    ...EVERY,
    ...(hasInput || hasBody ? HAS_INPUT : {}),
    ...(hasBody ? HAS_BODY : {}),
    ...(hasZone ? HAS_ZONE : {}),
    ...(hasGuard ? HAS_GUARD : {}),
    ...(hasZone && changes ? CHANGES : {})
  }
}
