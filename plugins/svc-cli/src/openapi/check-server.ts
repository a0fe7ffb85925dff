/**
 * Sends requests that are made from a document to a running server, and holds each answer against the document: its
 * status, its content type and its body, and that what the document accepts is not refused as invalid, nor the reverse.
 */
import { type Content, escaped, type ListedOperation, type OpenapiDocument, operationsOf } from './document.ts'
import { DocumentSchemas } from './document-schemas.ts'
import { RequestSamples, type SampleRequest } from './sample-requests.ts'

export interface ServerCheck {
  /** Origin of the server. */
  readonly origin: string
  /** Requests for each operation that its document accepts. */
  readonly requests: number
  readonly seed: number
  /** Also operations that change something. */
  readonly changing: boolean
  /** Sent with each request. */
  readonly headers: Readonly<Record<string, string>>
}

export interface CheckedOperation {
  readonly operation: string
  readonly sent: number
  /** How often each status was answered. */
  readonly statuses: Readonly<Record<string, number>>
  /** What differs from the document, once each. */
  readonly problems: readonly AnswerProblem[]
  /** Why nothing was sent. */
  readonly skipped?: string
}

export interface AnswerProblem {
  readonly text: string
  /** The first request that showed it; absent where the document alone does. */
  readonly request?: SampleRequest
}

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS'])
const DEADLINE_MS = 30_000
const JSON_TYPE = 'application/json'
/** What any server may answer before it knows the route: too slow, address or headers too long. */
const TRANSPORT = new Set([408, 414, 431])
/** The codes of an answer that says: the request does not match its schema. */
const INVALID = new Set(['SVC_HTTP_VALIDATION', 'FST_ERR_VALIDATION'])

/** Operation by operation, a request at a time. @throws what `fetch` throws where the server does not answer */
export async function* checkServer(document: OpenapiDocument, check: ServerCheck): AsyncGenerator<CheckedOperation> {
  const schemas = new DocumentSchemas(document)
  for (const listed of operationsOf(document)) {
    const operation = `${listed.method} ${listed.path}`
    const samples = new RequestSamples(schemas, listed, check.seed)
    const skipped = !check.changing && !SAFE.has(listed.method) ? 'it changes something' : samples.obstacle
    if (skipped !== null) yield { operation, sent: 0, statuses: {}, problems: [], skipped }
    else yield { operation, ...(await checkOperation(listed, samples, schemas, check)) }
  }
}

async function checkOperation(
  listed: ListedOperation,
  samples: RequestSamples,
  schemas: DocumentSchemas,
  { origin, requests, headers }: ServerCheck
): Promise<Omit<CheckedOperation, 'operation'>> {
  const statuses: Record<string, number> = {}
  const problems = new Map<string, AnswerProblem>()
  const valid = Array.from({ length: requests }, () => samples.valid()).filter((request) => request !== null)
  const all = [...valid, ...samples.invalid()]
  for (const request of all) {
    const answer = await fetch(origin + request.target, {
      method: request.method,
      headers: { ...request.headers, ...headers },
      redirect: 'manual',
      signal: AbortSignal.timeout(DEADLINE_MS),
      ...(request.body !== undefined && { body: request.body })
    })
    const body = await answer.text()
    statuses[answer.status] = (statuses[answer.status] ?? 0) + 1
    for (const text of answerProblems(schemas, { listed, request, answer, body })) {
      if (!problems.has(text)) problems.set(text, { text, request })
    }
  }
  return { sent: all.length, statuses, problems: [...problems.values()] }
}

interface Answered {
  readonly listed: ListedOperation
  readonly request: SampleRequest
  readonly answer: Response
  readonly body: string
}

/** What differs from the document in an answer. */
function answerProblems(schemas: DocumentSchemas, { listed, request, answer, body }: Answered): string[] {
  const { status, headers } = answer
  if (TRANSPORT.has(status)) return []
  if (status >= 500 && status !== 503) return [`answers ${status}`]
  const { responses = {} } = listed.operation
  const key = [String(status), `${String(status)[0]}XX`, 'default'].find((one) => one in responses)
  if (key === undefined) return [`answers ${status}, which the document does not have`]
  const type = (headers.get('content-type') ?? '').split(';')[0]?.trim() ?? ''
  const problems = bodyProblems(schemas, { listed, status, key, type, body })
  const isInvalid = type === JSON_TYPE && INVALID.has(String(memberOf(body, 'code')))
  if (request.fault === null && isInvalid) {
    problems.push(`refuses what the document accepts: ${memberOf(body, 'message')}`)
  }
  if (request.fault !== null && status < 400) problems.push(`accepts what the document refuses: ${request.fault}`)
  return problems
}

interface AnsweredBody {
  readonly listed: ListedOperation
  readonly status: number
  /** Of the response in the document. */
  readonly key: string
  readonly type: string
  readonly body: string
}

function bodyProblems(schemas: DocumentSchemas, { listed, status, key, type, body }: AnsweredBody): string[] {
  const { operation, method, pointer } = listed
  const [response, at] = schemas.find(operation.responses?.[key] as Content, `${pointer}/responses/${key}`)
  const { content } = response
  if (method === 'HEAD' || body === '' || content === undefined) return []
  const media = content[type]
  if (media === undefined) {
    return [`answers ${status} as ${type || 'no type'}, the document has ${Object.keys(content).join(', ')}`]
  }
  if (media.schema === undefined || type !== JSON_TYPE) return []
  const fault = schemas.faultOf(`${at}/content/${escaped(type)}/schema`, parsed(body))
  return fault === null ? [] : [`answers ${status} with a body that leaves its schema: ${fault}`]
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}

function memberOf(body: string, name: string): unknown {
  return (parsed(body) as Record<string, unknown> | null | undefined)?.[name]
}
