//! Histograms of values, cut as UPPAAL cuts them.

/// Values in buckets of one width.
#[derive(Clone, Debug, PartialEq)]
pub struct Histogram {
    /// Where the first bucket begins.
    pub from: f64,
    /// How wide each is.
    pub width: f64,
    /// Number of values in each bucket. The last bucket includes its upper end.
    pub counts: Vec<u64>,
}

/// Buckets that were asked for; 0 stands for "as you like".
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Buckets {
    /// Number of buckets.
    pub count: u32,
    /// How wide.
    pub width: f64,
}

/// No histogram has more.
const MOST: f64 = 10_000.0;

impl Histogram {
    /// `None` where there is no value. About √m buckets for m values, from the least to the greatest; integers get a width that
    /// is a whole number, one bucket for each value where that is enough.
    pub fn new(values: &[f64], wish: Buckets) -> Option<Histogram> {
        let least = values.iter().copied().reduce(f64::min)?;
        let greatest = values.iter().copied().reduce(f64::max)?;
        let are_whole = values.iter().all(|v| v.fract() == 0.0 && v.abs() < 9e15);
        let span = greatest - least;
        let wanted = match wish.count {
            0 => libm::ceil(libm::sqrt(values.len() as f64)),
            count => f64::from(count),
        };
        let (width, count) = if wish.width > 0.0 {
            (wish.width, libm::floor(span / wish.width) + 1.0)
        } else if are_whole && wish.count == 0 {
            let width = libm::ceil((span + 1.0) / wanted.max(MIN_WHOLE)).max(1.0);
            (width, libm::floor(span / width) + 1.0)
        } else if span == 0.0 {
            (1.0, 1.0)
        } else {
            (span / wanted, wanted)
        };
        let count = count.min(MOST);
        let mut counts = vec![0; count as usize];
        let last = counts.len() - 1;
        for value in values {
            let bucket = ((value - least) / width) as usize;
            counts[bucket.min(last)] += 1;
        }
        Some(Histogram {
            from: least,
            width,
            counts,
        })
    }

    /// Number of values in all buckets.
    pub fn total(&self) -> u64 {
        self.counts.iter().sum()
    }
}

/// Up to this many whole numbers get one bucket each, however few the values are.
const MIN_WHOLE: f64 = 20.0;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_many_buckets_as_the_root_of_the_values() {
        let values: Vec<f64> = (0..72).map(|i| f64::from(i) * 0.163).collect();
        let histogram = Histogram::new(&values, Buckets::default()).expect("there are values");
        assert_eq!((histogram.counts.len(), histogram.total()), (9, 72));
        assert!((histogram.width - 71.0 * 0.163 / 9.0).abs() < 1e-12);
    }

    #[test]
    fn whole_numbers_get_whole_buckets() {
        let values: Vec<f64> = [3, 3, 4, 5, 9].map(f64::from).to_vec();
        let histogram = Histogram::new(&values, Buckets::default()).expect("there are values");
        assert_eq!((histogram.from, histogram.width), (3.0, 1.0));
        assert_eq!(histogram.counts, [2, 1, 1, 0, 0, 0, 1]);
    }

    #[test]
    fn wishes() {
        let values = [0.0, 0.5, 1.0, 2.0];
        let by_count = Histogram::new(&values, Buckets { count: 2, width: 0.0 }).expect("there are values");
        assert_eq!((by_count.width, by_count.counts), (1.0, vec![2, 2]));
        let by_width = Histogram::new(&values, Buckets { count: 0, width: 0.5 }).expect("there are values");
        assert_eq!(by_width.counts, [1, 1, 1, 0, 1]);
        assert_eq!(Histogram::new(&[], Buckets::default()), None);
        let one = Histogram::new(&[2.5, 2.5], Buckets::default()).expect("there are values");
        assert_eq!(one.counts, [2]);
    }
}
