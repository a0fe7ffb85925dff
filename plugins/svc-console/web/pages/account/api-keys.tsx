/** Keys that one's programs call with: made, shown once, revoked. */
import { useState } from 'preact/hooks'
import { useAnswer } from '../../app/answer.ts'
import { useAction } from '../../parts/action.ts'
import { CopyButton } from '../../parts/copy-button.tsx'
import { Confirm, Dialog } from '../../parts/dialog.tsx'
import { ErrorNotice } from '../../parts/error-notice.tsx'
import { Time } from '../../parts/time.tsx'
import { type ApiKey, createKey, readKeys, revokeKey } from './account-api.ts'

export function ApiKeys({ known }: { readonly known: readonly ApiKey[] }) {
  const { value: keys, error, reload } = useAnswer<readonly ApiKey[]>('keys', readKeys, known)
  const [token, setToken] = useState<string | null>(null)
  const [leaving, setLeaving] = useState<ApiKey | null>(null)
  const action = useAction()
  const alive = keys?.filter(({ revokedAt }) => revokedAt === null)
  return (
    <section class="card">
      <h2>API keys</h2>
      <ErrorNotice error={error ?? action.error} />
      {alive?.length === 0 && <p>None. A key lets a program call as you, with the scopes that you give it.</p>}
      <ul class="things">
        {alive?.map((key) => (
          <li key={key.id}>
            <span>
              <strong>{key.name}</strong> <code>{key.scopes.join(' ')}</code>
              <span class="muted">
                {' '}
                · made <Time at={key.createdAt} />, used <Time at={key.lastUsedAt} />, ends <Time at={key.expiresAt} />
              </span>
            </span>
            <button type="button" aria-label={`Revoke ${key.name}`} onClick={() => setLeaving(key)}>
              Revoke
            </button>
          </li>
        ))}
      </ul>
      <NewKey
        onMade={(made) => {
          setToken(made)
          reload()
        }}
      />
      {token !== null && (
        <Dialog title="The new key" onClose={() => setToken(null)}>
          <p>It is shown only now.</p>
          <p class="secret">
            <code>{token}</code> <CopyButton text={token} label="Copy the key" />
          </p>
          <div class="buttons">
            <button type="button" class="primary" onClick={() => setToken(null)}>
              I have stored it
            </button>
          </div>
        </Dialog>
      )}
      {leaving !== null && (
        <Confirm
          title="Revoke this key"
          action="Revoke"
          onClose={() => setLeaving(null)}
          onConfirm={() =>
            void action.run(async () => {
              await revokeKey(leaving.id)
              reload()
            })
          }
        >
          <p>
            What calls with <strong>{leaving.name}</strong> is refused from now on.
          </p>
        </Confirm>
      )}
    </section>
  )
}

const LIVES: readonly [title: string, days: number][] = [
  ['30 days', 30],
  ['90 days', 90],
  ['1 year', 365],
  ['as the server says', 0]
]

function NewKey({ onMade }: { readonly onMade: (token: string) => void }) {
  const [name, setName] = useState('')
  const [scopes, setScopes] = useState('')
  const [days, setDays] = useState(90)
  const action = useAction()
  const submit = async (event: Event) => {
    event.preventDefault()
    const wanted = scopes.split(/\s+/).filter((scope) => scope !== '')
    const done = await action.run(async () =>
      onMade(
        await createKey({
          name: name.trim(),
          ...(wanted.length === 0 ? {} : { scopes: wanted }),
          ...(days === 0 ? {} : { expiresInDays: days })
        })
      )
    )
    if (done) setName('')
  }
  return (
    <form class="filters" onSubmit={(event) => void submit(event)}>
      <ErrorNotice error={action.error} />
      <label>
        Name of a new key
        <input value={name} required maxLength={200} onInput={(event) => setName(event.currentTarget.value)} />
      </label>
      <label>
        Scopes
        <input value={scopes} placeholder="orders:read" onInput={(event) => setScopes(event.currentTarget.value)} />
      </label>
      <label>
        Ends after
        <select value={days} onChange={(event) => setDays(Number(event.currentTarget.value))}>
          {LIVES.map(([title, value]) => (
            <option key={value} value={value}>
              {title}
            </option>
          ))}
        </select>
      </label>
      <button type="submit" disabled={action.busy}>
        Make a key
      </button>
    </form>
  )
}
