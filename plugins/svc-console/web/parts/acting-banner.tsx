/** That the session acts as another user: as whom, why, how long, and how it ends. */
import { useEffect } from 'preact/hooks'
import { acting, endActing, readActing } from '../app/acting.ts'
import { Time } from './time.tsx'

export function ActingBanner() {
  useEffect(() => {
    const look = () => void readActing()
    look()
    // It may have begun, or ended, in another window.
    window.addEventListener('focus', look)
    return () => window.removeEventListener('focus', look)
  }, [])
  const now = acting.value
  if (now === null) return null
  return (
    <div class="notice warn" role="status">
      <p>
        <strong>You act as {now.user}</strong>
        {now.write ? ', and can make changes' : ', and only read'}. It ends <Time at={now.until} whole />.
      </p>
      <p class="muted">Reason: {now.reason}</p>
      <button type="button" class="danger" onClick={() => void endActing()}>
        Stop acting as the user
      </button>
    </div>
  )
}
