/** svc-kernel has no options: what it does, it always does. */
export const optionsSchema = {
  $id: 'svc-kernel/options',
  type: 'object',
  additionalProperties: false,
  properties: {}
} as const
