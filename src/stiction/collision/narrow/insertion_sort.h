// Sorting a handful of items in place.
#pragma once

namespace stiction::collision::narrow {

/// Equal items keep their order.
template <class T, class Less>
void insertion_sort(T* items, int count, const Less& less) {
  for (int i = 1; i < count; ++i) {
    const T item = items[i];
    int j = i;
    for (; j > 0 && less(item, items[j - 1]); --j) items[j] = items[j - 1];
    items[j] = item;
  }
}

}  // namespace stiction::collision::narrow
