import { Select, Switch, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { SandboxProduct } from '../../../../contract/sandbox/sandbox-world.ts'
import { deliveryTypeLabel, productTypeLabel } from '../../../lib/labels/product-labels.ts'
import { rpc } from '../../../lib/core/rpc.ts'
import { Button } from '../../../ui/controls/buttons/button.tsx'
import { PanelSection, SidePanel } from '../../../ui/layout/page.tsx'
import { cleared, deliveryTypes, listOf, productTypes, typedOf } from './product-form.ts'
import styles from '../sandbox.module.css'
import { useSandboxAction } from '../use-sandbox-action.ts'

/**
 * A new product or an existing one: its data, where it can be activated, and whether it is on sale.
 */
export function ProductPanel({
  product,
  onClose,
  onMade,
}: {
  product: SandboxProduct | null
  onClose: () => void
  onMade: (id: string) => void
}) {
  const [typed, setTyped] = useState(() => typedOf(product))
  const put = (part: Partial<typeof typed>): void => setTyped({ ...typed, ...part })
  const body = () => ({
    name: typed.name.trim(),
    platform: typed.platform.trim(),
    region: typed.region.trim(),
    productType: typed.productType,
    deliveryType: typed.deliveryType,
    description: cleared(typed.description),
    activationDetails: cleared(typed.activationDetails),
    developer: cleared(typed.developer),
    publisher: cleared(typed.publisher),
    releaseDate: cleared(typed.releaseDate),
    coverImage: cleared(typed.coverImage),
    url: cleared(typed.url),
    ageRating: cleared(typed.ageRating),
    languages: listOf(typed.languages),
    genres: listOf(typed.genres),
    activation:
      typed.excluded.trim() === '' && product?.activation == null
        ? null
        : {
            excludedCountries: listOf(typed.excluded.toUpperCase()),
            allowedCountryCount: product?.activation?.allowedCountryCount ?? null,
          },
  })
  const save = useSandboxAction(
    () =>
      product === null
        ? rpc.sandbox.world.createProduct({
            ...body(),
            ...(typed.id.trim() === '' ? {} : { id: typed.id.trim() }),
          })
        : rpc.sandbox.world.changeProduct({ id: product.id, change: body() }),
    (made) =>
      product === null
        ? {
            title: `Created ${made.name}`,
            text: 'It gets a price once a seller offers it.',
          }
        : { title: 'Saved', text: 'The catalogue now contains the change.' },
    (made) => {
      if (product === null) onMade(made.id)
    },
  )
  const turn = useSandboxAction(
    (change: { removed?: boolean; supplyUnknown?: boolean }) =>
      rpc.sandbox.world.changeProduct({ id: product?.id ?? '', change }),
    (after) => ({ title: after.removed ? 'Not on sale' : 'Kept' }),
  )
  const ready = [typed.name, typed.platform, typed.region].every((text) => text.trim() !== '')
  const field = (
    name:
      | 'developer'
      | 'publisher'
      | 'releaseDate'
      | 'ageRating'
      | 'languages'
      | 'genres'
      | 'coverImage'
      | 'url'
      | 'excluded'
      | 'name'
      | 'platform'
      | 'region'
      | 'id',
    label: string,
    more: { placeholder?: string; type?: string } = {},
  ) => (
    <TextInput
      label={label}
      {...more}
      value={typed[name]}
      onChange={(event) => put({ [name]: event.currentTarget.value })}
    />
  )
  return (
    <SidePanel
      title={product?.name ?? 'New product'}
      {...(product !== null && { detail: <span className="kd-mono">{product.id}</span> })}
      onClose={onClose}
      footer={
        <Button
          kind="primary"
          busy={save.isPending}
          disabled={!ready}
          onClick={() => save.mutate(undefined)}
        >
          {product === null ? 'Create product' : 'Save changes'}
        </Button>
      }
    >
      {product === null ? null : (
        <PanelSection title="On sale">
          <div className={styles.stack}>
            <Switch
              label="Removed from the catalogue"
              checked={product.removed}
              disabled={turn.isPending}
              onChange={() => turn.mutate({ removed: !product.removed })}
            />
            <div className={styles.row}>
              <Button
                size="xs"
                disabled={turn.isPending}
                onClick={() => turn.mutate({ supplyUnknown: true })}
              >
                Stock unknown
              </Button>
              <Button
                size="xs"
                disabled={turn.isPending}
                onClick={() => turn.mutate({ supplyUnknown: false })}
              >
                Stock known
              </Button>
            </div>
          </div>
        </PanelSection>
      )}
      <PanelSection title="Basics">
        <div className={styles.stack}>
          {field('name', 'Name')}
          <div className={styles.pair}>
            {field('platform', 'Platform', { placeholder: 'Steam' })}
            {field('region', 'Region', { placeholder: 'Global' })}
          </div>
          <div className={styles.pair}>
            <Select
              label="Type"
              data={productTypes.map((value) => ({ value, label: productTypeLabel(value) }))}
              value={typed.productType}
              allowDeselect={false}
              onChange={(value) =>
                put({ productType: productTypes.find((each) => each === value) ?? 'game' })
              }
            />
            <Select
              label="Delivery"
              data={deliveryTypes.map((value) => ({ value, label: deliveryTypeLabel(value) }))}
              value={typed.deliveryType}
              allowDeselect={false}
              onChange={(value) =>
                put({ deliveryType: deliveryTypes.find((each) => each === value) ?? 'key' })
              }
            />
          </div>
          {product === null ? field('id', 'Id, empty for a new one') : null}
        </div>
      </PanelSection>
      <PanelSection title="Details">
        <div className={styles.stack}>
          <Textarea
            label="Description"
            autosize
            minRows={2}
            maxRows={8}
            value={typed.description}
            onChange={(event) => put({ description: event.currentTarget.value })}
          />
          <Textarea
            label="Activation details"
            autosize
            minRows={1}
            maxRows={6}
            value={typed.activationDetails}
            onChange={(event) => put({ activationDetails: event.currentTarget.value })}
          />
          {field('excluded', 'Countries without activation', { placeholder: 'RU, CN' })}
          <div className={styles.pair}>
            {field('developer', 'Developer')}
            {field('publisher', 'Publisher')}
          </div>
          <div className={styles.pair}>
            {field('languages', 'Languages', { placeholder: 'English, German' })}
            {field('genres', 'Genres')}
          </div>
          <div className={styles.pair}>
            {field('releaseDate', 'Release date', { type: 'date' })}
            {field('ageRating', 'Age rating')}
          </div>
          {field('coverImage', 'Cover image URL')}
          {field('url', 'Product page URL')}
        </div>
      </PanelSection>
    </SidePanel>
  )
}
