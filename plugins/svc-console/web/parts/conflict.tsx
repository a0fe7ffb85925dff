/** A change of something that somebody else changed meanwhile: both versions, and which of them is kept. */

interface ConflictProps {
  /** What it is, as in "The endpoint". */
  readonly what: string
  /** The fields that differ: as the form has them, and as they are now. */
  readonly fields: readonly { readonly name: string; readonly mine: string; readonly now: string }[]
  readonly busy: boolean
  readonly onMine: () => void
  readonly onTheirs: () => void
}

export function Conflict({ what, fields, busy, onMine, onTheirs }: ConflictProps) {
  return (
    <div class="notice warn" role="alert">
      <p>
        <strong>{what} has changed since you read it. Your changes are not saved yet.</strong>
      </p>
      {fields.length === 0 && <p>None of your changes is affected.</p>}
      {fields.length > 0 && (
        <table>
          <thead>
            <tr>
              <th scope="col">Field</th>
              <th scope="col">Now</th>
              <th scope="col">Yours</th>
            </tr>
          </thead>
          <tbody>
            {fields.map(({ name, mine, now }) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td class="value">{now}</td>
                <td class="value">{mine}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <div class="buttons">
        <button type="button" disabled={busy} onClick={onTheirs}>
          Keep what is there now
        </button>
        <button type="button" class="primary" disabled={busy} onClick={onMine}>
          Save mine over it
        </button>
      </div>
    </div>
  )
}
