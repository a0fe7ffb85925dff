/** A failure as it is shown: what the server said, the fields it names, its code, and what to do about it. */
import { useEffect, useState } from 'preact/hooks'
import { readActing } from '../app/acting.ts'
import { ApiError } from '../app/api.ts'
import { settings } from '../app/settings.ts'

export function ErrorNotice({
  error,
  onRetry
}: {
  readonly error: unknown
  readonly onRetry?: (() => void) | undefined
}) {
  const failure = error instanceof ApiError ? error : null
  const fix = useFix(failure)
  useEffect(() => {
    if (failure !== null && ACTING.includes(failure.code)) void readActing()
  }, [failure])
  if (error === null || error === undefined) return null
  return (
    <div class="notice bad" role="alert">
      <p>
        <strong>{sentence(error instanceof Error ? error.message : String(error))}</strong>
        {failure !== null && <code class="code">{failure.code}</code>}
      </p>
      {failure !== null && failure.details.length > 0 && (
        <ul>
          {failure.details.map(({ path, message }) => (
            <li key={path + message}>
              <code>{path}</code> {message}
            </li>
          ))}
        </ul>
      )}
      {fix !== null && <p class="muted">{sentence(fix)}</p>}
      {failure !== null && <FailedRequest failure={failure} />}
      {onRetry !== undefined && (
        <button type="button" onClick={onRetry}>
          Try again
        </button>
      )}
    </div>
  )
}

/** What a session is refused that acts as another user: the banner then says so. */
const ACTING = ['SVC_SEC_IMPERSONATING', 'SVC_SEC_IMPERSONATION_OVER', 'SVC_SEC_READ_ONLY']

/** The sign-in page shows errors, too, and has no use for what follows addresses. */
function FailedRequest({ failure: { requestId, isRecorded } }: { readonly failure: ApiError }) {
  if (requestId === null) return null
  const address = `${settings.base}/requests/${encodeURIComponent(requestId)}`
  return <p class="muted">Request {isRecorded ? <a href={address}>{requestId}</a> : <code>{requestId}</code>}</p>
}

function useFix(failure: ApiError | null): string | null {
  const [fix, setFix] = useState<string | null>(null)
  useEffect(() => {
    setFix(null)
    if (failure === null) return
    if (failure.retryAfter !== null) setFix(`try again in ${failure.retryAfter} s`)
    else if (failure.code === 'NO_ANSWER') setFix('check that the application runs and that this machine reaches it')
    else
      import('virtual:error-fixes').then(
        ({ default: fixes }) => setFix(fixes[failure.code] ?? null),
        () => undefined
      )
  }, [failure])
  return fix
}

function sentence(text: string): string {
  const [first = '', ...rest] = /^[A-Z_]+$/.test(text) ? text.toLowerCase().replaceAll('_', ' ') : text
  return first.toUpperCase() + rest.join('')
}
