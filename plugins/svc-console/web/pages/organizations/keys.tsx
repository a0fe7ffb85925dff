/** The keys of an organisation that are alive. Their secrets are shown to nobody. */
import { Time } from '../../parts/time.tsx'
import { type Key, readKeys, revokeKey } from './organizations-api.ts'
import { RevocableList } from './revocable-list.tsx'

export function Keys({ id }: { readonly id: string }) {
  return (
    <RevocableList<Key>
      question={`keys ${id}`}
      read={() => readKeys(id)}
      revoke={(key) => revokeKey(id, key)}
      nameOf={(key) => `the key ${key.name ?? key.id}`}
      warning="Whatever uses it is refused at once."
      none="The organisation has no key."
    >
      {({ id: key, name, permissions, createdAt, lastUsedAt, expiresAt }) => (
        <>
          <strong>{name ?? key}</strong> <code>{permissions.join(' ')}</code>
          <span class="muted">
            {' '}
            · made <Time at={createdAt} />, used <Time at={lastUsedAt} />, ends <Time at={expiresAt} />
          </span>
        </>
      )}
    </RevocableList>
  )
}
