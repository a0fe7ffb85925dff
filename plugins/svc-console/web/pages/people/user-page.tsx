/** One user: the roles, the lock, and every way in with a way to close it. */
import { useState } from 'preact/hooks'
import { type Answer, useAnswer } from '../../app/answer.ts'
import { href } from '../../app/location.ts'
import { serves } from '../../app/settings.ts'
import { toast } from '../../app/toasts.tsx'
import { useAction } from '../../parts/action.ts'
import { ErrorNotice } from '../../parts/error-notice.tsx'
import { Field, TextField } from '../../parts/fields.tsx'
import { Hinted } from '../../parts/hinted.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { Time } from '../../parts/time.tsx'
import { rolesOf } from './new-user-dialog.tsx'
import { readFactors, readKeys, readSessions, readUser, setLocked, setRoles, type User } from './people-api.ts'
import { UserBadge } from './user-list.tsx'
import { UserFactors, UserKeys, UserSessions } from './ways-in.tsx'

/** Together, so that nothing moves when an answer comes later than another. */
async function readAll(id: string) {
  const user = await readUser(id)
  const [sessions, factors, keys] = await Promise.all([
    serves('sessions') ? readSessions(user.identifier) : [],
    readFactors(id),
    serves('keys') ? readKeys(user.identifier) : null
  ])
  return { user, sessions, factors, keys }
}

export type WholeUser = Awaited<ReturnType<typeof readAll>>

export function UserPage({ id }: { readonly id: string }) {
  const answer = useAnswer(id, () => readAll(id))
  const { value, error, reload } = answer
  const above = { title: 'People', href: href(['people']) }
  if (value === null) {
    return (
      <>
        <PageHead title="User" above={above} />
        <ErrorNotice error={error} onRetry={reload} />
      </>
    )
  }
  const { user, sessions, factors, keys } = value
  return (
    <>
      <UserHead answer={answer} whole={value} />
      <ErrorNotice error={error} onRetry={reload} />
      <dl class="fields">
        <Field name="State">
          <UserBadge user={user} />
        </Field>
        <Field name="Since">
          <Time at={user.createdAt} whole />
        </Field>
        {user.socialAccounts.map(({ provider, linkedAt }) => (
          <Field name={provider} key={provider}>
            linked <Time at={linkedAt} />
          </Field>
        ))}
        <TextField name="Id" text={user.id} />
      </dl>
      <Roles user={user} onChange={(changed) => answer.set({ ...value, user: changed })} />
      <UserSessions id={id} sessions={sessions} onChange={reload} />
      <UserFactors id={id} factors={factors} onChange={reload} />
      {keys !== null && <UserKeys keys={keys} onChange={reload} />}
    </>
  )
}

function UserHead({ answer, whole }: { readonly answer: Answer<WholeUser>; readonly whole: WholeUser }) {
  const { user } = whole
  const action = useAction()
  const switchTo = async (locked: boolean) => {
    answer.set({ ...whole, user: await setLocked(user.id, locked) })
    toast(locked ? 'Locked: no way in is left.' : 'Unlocked.', () => void action.run(() => switchTo(!locked)))
  }
  return (
    <>
      <PageHead title={user.identifier} above={{ title: 'People', href: href(['people']) }}>
        {serves('audit') && (
          <a class="button" href={href(['audit'], { actor: user.identifier })}>
            What they did
          </a>
        )}
        <button
          type="button"
          class={user.locked ? '' : 'danger'}
          disabled={action.busy}
          onClick={() => void action.run(() => switchTo(!user.locked))}
        >
          {user.locked ? 'Unlock' : 'Lock'}
        </button>
      </PageHead>
      <ErrorNotice error={action.error} />
    </>
  )
}

function Roles({ user, onChange }: { readonly user: User; readonly onChange: (user: User) => void }) {
  const [roles, setText] = useState(user.roles.join(' '))
  const action = useAction()
  const change = async (wanted: readonly string[]) => {
    const changed = await setRoles(user.id, wanted)
    onChange(changed)
    setText(changed.roles.join(' '))
  }
  const undo = async () => {
    await change(user.roles)
    toast('The roles are as before.')
  }
  const submit = (event: Event) => {
    event.preventDefault()
    void action.run(async () => {
      await change(rolesOf(roles))
      toast('The roles are changed: they hold from the next request on.', () => void action.run(undo))
    })
  }
  return (
    <section class="card">
      <h2>Roles</h2>
      <form class="stacked narrow" onSubmit={submit}>
        <ErrorNotice error={action.error} />
        <Hinted label="Roles of the user" hint="With a space between. What they inherit is under Access, Zones.">
          <input value={roles} onInput={(event) => setText(event.currentTarget.value)} />
        </Hinted>
        <div class="buttons">
          <button type="submit" disabled={action.busy}>
            Save the roles
          </button>
        </div>
      </form>
    </section>
  )
}
