/** How a wrong value is shown: as JSON, shortened; under a name that may hold a secret, by its type alone. */

const SECRET = /key|secret|password|token|credential|uri|url/i

export function describeValue(segments: readonly string[], value: unknown): string {
  if (segments.some((segment) => SECRET.test(segment)) && value !== undefined) {
    return typeof value === 'string' ? `text of ${value.length} characters` : typeof value
  }
  const text = JSON.stringify(value) ?? String(value)
  return text.length > 80 ? `${text.slice(0, 77)}...` : text
}
