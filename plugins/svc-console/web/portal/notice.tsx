/** A failure, in the language of the page. */
import { PortalError } from './session.ts'
import { say, textOfCode } from './texts.ts'

export function Notice({ error, onRetry }: { readonly error: unknown; readonly onRetry?: () => void }) {
  if (error === null || error === undefined) return null
  return (
    <div class="notice bad" role="alert">
      <p>{textOf(error)}</p>
      {onRetry !== undefined && (
        <button type="button" onClick={onRetry}>
          {say('again')}
        </button>
      )}
    </div>
  )
}

function textOf(error: unknown): string {
  if (!(error instanceof PortalError)) return say('trouble', { code: String(error) })
  if (error.status === 0) return say('offline')
  return textOfCode(error.code) ?? say('trouble', { code: error.code })
}
