/** svc-kernel has no options. */
export const optionsSchema = {
  $id: 'svc-kernel/options',
  type: 'object',
  additionalProperties: false,
  properties: {}
} as const
