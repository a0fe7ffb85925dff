/** svc-orm */
export {}
