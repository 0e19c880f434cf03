import { Announcement } from '../primitives/announcement.tsx';
import { Button } from '../primitives/button.tsx';
import { Slot } from '../primitives/slot.tsx';
import { useLabels } from '../text/labels-context.tsx';

/** Stands where the form would be that did not load. The question stays: it can be decided as it is. */
export function EditUnavailable({ onBack }: { onBack: () => void }) {
  const labels = useLabels();
  return (
    <>
      <Slot slotName="notice" as="p" className="hr-notice" data-look="error">
        {labels.editUnavailable}
        <Announcement text={labels.editUnavailable} />
      </Slot>
      <Slot slotName="footer" as="footer" className="hr-footer">
        {/* The button that was pressed is gone: in the same commit, or the dialog takes the focus it left behind. */}
        <Button autoFocus look="primary" onClick={onBack}>
          {labels.back}
        </Button>
      </Slot>
    </>
  );
}
