/** Passkeys: made by the browser, named by the person, removed when lost. */
import { useState } from 'preact/hooks'
import { useAnswer } from '../../app/answer.ts'
import { toast } from '../../app/toasts.tsx'
import { useAction } from '../../parts/action.ts'
import { Confirm } from '../../parts/dialog.tsx'
import { ErrorNotice } from '../../parts/error-notice.tsx'
import { Time } from '../../parts/time.tsx'
import { addPasskey, type Passkey, readPasskeys, removePasskey } from './account-api.ts'

export function Passkeys({ known }: { readonly known: readonly Passkey[] }) {
  const { value: passkeys, error, reload } = useAnswer<readonly Passkey[]>('passkeys', readPasskeys, known)
  const [nickname, setNickname] = useState('')
  const [leaving, setLeaving] = useState<Passkey | null>(null)
  const action = useAction()
  const add = async (event: Event) => {
    event.preventDefault()
    const done = await action.run(() => addPasskey(nickname))
    if (!done) return
    setNickname('')
    toast('The passkey is added.')
    reload()
  }
  return (
    <section class="card">
      <h2>Passkeys</h2>
      <ErrorNotice error={error ?? action.error} />
      {passkeys?.length === 0 && <p>None. A passkey signs in with a finger, a face or a key, without a password.</p>}
      <ul class="things">
        {passkeys?.map((passkey) => (
          <li key={passkey.id}>
            <span>
              <strong>{nameOf(passkey)}</strong>
              <span class="muted">
                {' '}
                · made <Time at={passkey.createdAt} />, used <Time at={passkey.lastUsedAt} />
              </span>
            </span>
            <button type="button" aria-label={`Remove ${nameOf(passkey)}`} onClick={() => setLeaving(passkey)}>
              Remove
            </button>
          </li>
        ))}
      </ul>
      <form class="filters" onSubmit={(event) => void add(event)}>
        <label>
          Name of a new one
          <input value={nickname} maxLength={100} onInput={(event) => setNickname(event.currentTarget.value)} />
        </label>
        <button type="submit" disabled={action.busy}>
          Add a passkey
        </button>
      </form>
      {leaving !== null && (
        <Confirm
          title="Remove this passkey"
          action="Remove"
          onClose={() => setLeaving(null)}
          onConfirm={() =>
            void action.run(async () => {
              await removePasskey(leaving.id)
              reload()
            })
          }
        >
          <p>
            <strong>{nameOf(leaving)}</strong> does not sign in here any more.
          </p>
        </Confirm>
      )}
    </section>
  )
}

function nameOf({ nickname, id }: Passkey): string {
  return nickname ?? `Passkey ${id.slice(0, 8)}`
}
