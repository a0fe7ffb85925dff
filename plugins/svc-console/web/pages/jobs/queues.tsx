/** The lanes of the queue: how much waits in each and for how long; a lane is paused in all instances, and resumed. */

import { useList } from '../../app/list.ts'
import { useRenewal } from '../../app/renewal.ts'
import { toast } from '../../app/toasts.tsx'
import { useAction } from '../../parts/action.ts'
import { Badge } from '../../parts/badge.tsx'
import { EmptyState } from '../../parts/empty-state.tsx'
import { ErrorNotice } from '../../parts/error-notice.tsx'
import { Time } from '../../parts/time.tsx'
import { type Lane, pauseLane, readLanes } from './jobs-api.ts'
import { isSystem, SystemChoice } from './system-choice.tsx'

export function Queues() {
  const system = isSystem()
  const list = useList(`lanes ${system}`, (cursor) => readLanes(system, cursor))
  useRenewal(list.renew)
  const action = useAction()
  const pause = async (lane: string, wanted: boolean) => {
    await pauseLane(lane, wanted)
    list.renew()
    toast(
      wanted ? `${lane} is paused: what runs goes on.` : `${lane} is resumed.`,
      () => void action.run(() => pause(lane, !wanted))
    )
  }
  const { rows, loading, error, hasMore } = list
  return (
    <>
      <div class="filters job-filters">
        <SystemChoice />
      </div>
      <ErrorNotice error={action.error ?? error} onRetry={action.error === null ? list.reload : undefined} />
      {rows.length === 0 && loading && <p class="muted loading">Loading …</p>}
      {rows.length === 0 && !loading && error === null && <EmptyState title="No lane has jobs or is paused." />}
      {rows.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard
        <section class="scroll" tabIndex={0} aria-label="Lanes">
          <table class="lanes">
            <thead>
              <tr>
                {['Lane', 'Waiting', 'Oldest', 'Running', 'Limits', 'State'].map((name) => (
                  <th scope="col" key={name}>
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map((lane) => (
                <LaneRow
                  key={lane.lane}
                  lane={lane}
                  busy={action.busy}
                  onPause={(wanted) => void action.run(() => pause(lane.lane, wanted))}
                />
              ))}
            </tbody>
          </table>
        </section>
      )}
      {hasMore && (
        <div class="buttons end">
          <button type="button" disabled={loading} onClick={list.more}>
            More lanes
          </button>
        </div>
      )}
    </>
  )
}

interface LaneRowProps {
  readonly lane: Lane
  readonly busy: boolean
  readonly onPause: (wanted: boolean) => void
}

function LaneRow({ lane: { lane, paused, waiting, running, oldestMs, ...limits }, busy, onPause }: LaneRowProps) {
  return (
    <tr>
      <th scope="row">{lane}</th>
      <td>{waiting}</td>
      <td>{oldestMs === null ? '–' : <Time at={Date.now() - oldestMs} />}</td>
      <td>{running}</td>
      <td>{limitsText(limits)}</td>
      <td>
        {paused ? <Badge tone="warn">paused</Badge> : <Badge tone="good">open</Badge>}{' '}
        <button type="button" disabled={busy} onClick={() => onPause(!paused)}>
          {paused ? 'Resume' : 'Pause'}
          <span class="hidden"> {lane}</span>
        </button>
      </td>
    </tr>
  )
}

function limitsText({ concurrent, rate }: Pick<Lane, 'concurrent' | 'rate'>): string {
  const parts = [
    concurrent !== null && `${concurrent} at once`,
    rate !== null && `${rate.max} in ${rate.perS} s`
  ].filter((part) => part !== false)
  return parts.length === 0 ? 'none' : parts.join(', ')
}
