/**
 * An error as it is stored for administrators: its message and its stack with those of its causes, without what proves who
 * somebody is, and without the folders of the machine. Pure.
 */
import { isSecretName, MASK } from 'svc-kernel/plugin'

export interface RecordedFailure {
  readonly name: string
  readonly message: string
  /** Lines of the stack, then those of the causes; empty where the error has none. */
  readonly stack: string
}

const LONGEST_MESSAGE = 1000
const LONGEST_STACK = 6000
const MOST_CAUSES = 3

/** @param root folder of the application; what lies in it is told from there */
export function recordedFailure(error: unknown, root: string | null): RecordedFailure {
  try {
    const { name, message } = partsOf(error)
    return { name, message: redacted(message, root).slice(0, LONGEST_MESSAGE), stack: stackOf(error, root) }
  } catch {
    // Getters of an error may throw.
    return { name: 'Error', message: 'an unreadable error', stack: '' }
  }
}

function partsOf(error: unknown): { name: string; message: string } {
  if (!(error instanceof Error)) return { name: typeof error, message: typeof error === 'object' ? '' : String(error) }
  return { name: String(error.name).slice(0, 100), message: String(error.message) }
}

function stackOf(error: unknown, root: string | null): string {
  const parts: string[] = []
  let cause = error
  for (let depth = 0; depth <= MOST_CAUSES && cause instanceof Error; depth += 1) {
    parts.push(
      depth === 0 ? String(cause.stack ?? '') : `Caused by: ${cause.stack ?? `${cause.name}: ${cause.message}`}`
    )
    cause = cause.cause
  }
  return redacted(parts.join('\n').slice(0, LONGEST_STACK), root)
}

/** Credentials of URLs; values of names that say secret; what follows a scheme; what looks like a token or a key. */
const CREDENTIALS = /(\b[a-z][a-z0-9+.-]*:\/\/)[^\s/@]*@/gi
const NAMED = /\b([A-Za-z][\w.-]{1,60})["']?\s*[=:]\s*/g
const VALUE = /"[^"\n]*"?|'[^'\n]*'?|[^\s,;&)}\]]+/y
const SCHEMES = /\b(bearer|basic)\s+[\w.~+/=-]{8,}/gi
const TOKENS = /\beyJ[\w-]+\.[\w-]+\.[\w-]*|\b(?=[\w-]*\d)(?=[\w-]*[A-Za-z])[\w-]{32,}(?:\.[\w-]+)*/g

function redacted(text: string, root: string | null): string {
  const local = root === null ? text : text.replaceAll(`file://${root}/`, '').replaceAll(`${root}/`, '')
  return withoutSecrets(local.replace(CREDENTIALS, `$1${MASK}@`).replace(SCHEMES, `$1 ${MASK}`)).replace(
    TOKENS,
    (token) => (isPlace(token) ? token : MASK)
  )
}

/** A value may be a pair itself, so it is passed over only where its name says secret. */
function withoutSecrets(text: string): string {
  let kept = ''
  let from = 0
  NAMED.lastIndex = 0
  for (let named = NAMED.exec(text); named !== null; named = NAMED.exec(text)) {
    const [{ length }, name = ''] = named
    VALUE.lastIndex = named.index + length
    // `TokenError: ...` begins a stack.
    if (!isSecretName(name) || isPlace(name) || name.endsWith('Error') || !VALUE.test(text)) continue
    kept += `${text.slice(from, named.index + length)}${MASK}`
    from = VALUE.lastIndex
    NAMED.lastIndex = from
  }
  return kept + text.slice(from)
}

/** `session-service.ts:12:5` is a line of a stack. */
function isPlace(text: string): boolean {
  return /\.[cm]?[jt]sx?(?::\d+)*$/.test(text)
}
