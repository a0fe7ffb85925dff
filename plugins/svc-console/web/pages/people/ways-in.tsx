/** The ways in that a user has: sessions, second factors, keys; each can be taken away. */
import { useState } from 'preact/hooks'
import { toast } from '../../app/toasts.tsx'
import { useAction } from '../../parts/action.ts'
import { counted } from '../../parts/counted.ts'
import { Confirm } from '../../parts/dialog.tsx'
import { ErrorNotice } from '../../parts/error-notice.tsx'
import { type Session, SessionList } from '../../parts/session-list.tsx'
import { Time } from '../../parts/time.tsx'
import {
  endAllSessions,
  endSession,
  type Factors,
  removeCodes,
  removePasskey,
  revokeKey,
  type UserKey
} from './people-api.ts'

interface Changing {
  readonly onChange: () => void
}

function useChange(onChange: () => void) {
  const action = useAction()
  const change = (work: () => Promise<unknown>) =>
    void action.run(async () => {
      await work()
      onChange()
    })
  return { ...action, change }
}

export function UserSessions({
  id,
  sessions,
  onChange
}: Changing & { readonly id: string; readonly sessions: readonly Session[] }) {
  const { busy, error, change } = useChange(onChange)
  return (
    <section class="card">
      <h2>Sessions</h2>
      <ErrorNotice error={error} />
      {sessions.length === 0 && <p class="muted">Signed in nowhere.</p>}
      <SessionList sessions={sessions} busy={busy} onEnd={(ref) => change(() => endSession(ref))} />
      <button
        type="button"
        disabled={busy || sessions.length === 0}
        onClick={() =>
          change(async () => {
            const count = await endAllSessions(id)
            toast(`${counted(count, 'session')} ended.`)
          })
        }
      >
        End all
      </button>
    </section>
  )
}

type Leaving = { readonly name: string; readonly remove: () => Promise<unknown> } | null

export function UserFactors({
  id,
  factors: { totp, passkeys },
  onChange
}: Changing & { readonly id: string; readonly factors: Factors }) {
  const { busy, error, change } = useChange(onChange)
  const [leaving, setLeaving] = useState<Leaving>(null)
  const none = totp?.enabled !== true && (passkeys ?? []).length === 0
  return (
    <section class="card">
      <h2>Second factors and passkeys</h2>
      <ErrorNotice error={error} />
      {none && <p class="muted">None.</p>}
      <ul class="things">
        {totp?.enabled === true && (
          <li>
            <span>
              <strong>One-time codes</strong> <span class="muted">· {totp.recoveryCodesLeft} recovery codes left</span>
            </span>
            <button
              type="button"
              disabled={busy}
              aria-label="Remove the one-time codes"
              onClick={() => setLeaving({ name: 'One-time codes', remove: () => removeCodes(id) })}
            >
              Remove
            </button>
          </li>
        )}
        {passkeys?.map(({ id: credential, nickname, createdAt, lastUsedAt }) => {
          const name = nickname ?? `Passkey ${credential.slice(0, 8)}`
          return (
            <li key={credential}>
              <span>
                <strong>{name}</strong>
                <span class="muted">
                  {' '}
                  · made <Time at={createdAt} />, used <Time at={lastUsedAt} />
                </span>
              </span>
              <button
                type="button"
                disabled={busy}
                aria-label={`Remove ${name}`}
                onClick={() => setLeaving({ name, remove: () => removePasskey(id, credential) })}
              >
                Remove
              </button>
            </li>
          )
        })}
      </ul>
      {leaving !== null && (
        <Confirm
          title="Take this away"
          action="Remove"
          onClose={() => setLeaving(null)}
          onConfirm={() => change(leaving.remove)}
        >
          <p>
            For users who have lost it. <strong>{leaving.name}</strong> must be set up again.
          </p>
        </Confirm>
      )}
    </section>
  )
}

export function UserKeys({ keys, onChange }: Changing & { readonly keys: readonly UserKey[] }) {
  const { busy, error, change } = useChange(onChange)
  return (
    <section class="card">
      <h2>API keys</h2>
      <ErrorNotice error={error} />
      {keys.length === 0 && <p class="muted">None.</p>}
      <ul class="things">
        {keys.map(({ id, name, scopes, createdAt, lastUsedAt, expiresAt }) => (
          <li key={id}>
            <span>
              <strong>{name}</strong> <code>{scopes.join(' ')}</code>
              <span class="muted">
                {' '}
                · made <Time at={createdAt} />, used <Time at={lastUsedAt} />, ends <Time at={expiresAt} />
              </span>
            </span>
            <button
              type="button"
              disabled={busy}
              aria-label={`Revoke ${name}`}
              onClick={() => change(() => revokeKey(id))}
            >
              Revoke
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}
