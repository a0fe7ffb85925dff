/** Reads the order of a listing: `field:ASC`, `field:DESC`, several with a comma between. Pure. */
import { InvalidPage, type SortKey, sortFields, UnknownSortField, type WebhookSortField } from 'svc-stores'

const { fields } = sortFields.webhooks

/**
 * @param text `undefined` where none was asked for
 * @throws UnknownSortField (400), InvalidPage (400) for a direction that is neither, or a field that stands twice
 */
export function readOrder(text: string | undefined): SortKey<WebhookSortField>[] {
  if (text === undefined) return []
  const order = text.split(',').map((key) => {
    const [field = '', direction = 'ASC', ...rest] = key.split(':')
    const known = fields.find((name) => name === field)
    if (known === undefined) throw new UnknownSortField(field.slice(0, 64), fields.join(', '))
    if ((direction !== 'ASC' && direction !== 'DESC') || rest.length > 0) {
      throw new InvalidPage(`order of ${known}`, 'ASC or DESC')
    }
    return [known, direction] as const
  })
  if (new Set(order.map(([field]) => field)).size < order.length) {
    throw new InvalidPage('order', 'a list in which each field stands once')
  }
  return order
}
